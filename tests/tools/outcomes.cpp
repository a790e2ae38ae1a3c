// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"
#include "tools/compare/comparison.hpp"
#include "tools/compare/matched_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace {

using enum sonde::outcome;
using list = std::vector<double>;

list const old_times{100, 101, 102, 103, 104, 105};

list scaled(list times, double factor) {
    for (auto& t : times) t *= factor;
    return times;
}

tools::comparison judge(list const& before, list const& after, tools::criteria const& criteria = {}) {
    return tools::compare(tools::match(made::launches(before), made::launches(after)), criteria).at(0);
}

using sides = std::pair<std::vector<sonde::run_file>, std::vector<sonde::run_file>>;

/// 23 rows and 6 launches a side, the minimum for a decision; the last row of the new side is scaled.
sides sweep(made::noise& noise, double sigma, double factor) {
    sides both;
    for (auto* const runs : {&both.first, &both.second}) {
        runs->resize(6);
        for (auto& run : *runs)
            for (std::size_t bytes = 1; bytes != 24; ++bytes) {
                auto const scale = runs == &both.second && bytes == 23 ? factor : 1;
                run.records.push_back(made::row(bytes, noise(1, 1000 * scale, sigma)));
            }
    }
    return both;
}

std::vector<tools::comparison> judge(sides const& both) {
    return tools::compare(tools::match(both.first, both.second), {});
}

} // namespace

TEST_CASE("a row is slower or faster if launches and medians differ enough") {
    CHECK(judge(old_times, scaled(old_times, 1.2)).outcome == slower);
    CHECK(judge(scaled(old_times, 1.2), old_times).outcome == faster);
    CHECK(judge(old_times, scaled(old_times, 1.2)).p == 2.0 / 924);
    CHECK(judge(old_times, old_times).outcome == undecided);
}

TEST_CASE("medians that differ by less than the minimum effect are undecided, for any p") {
    list const before{1000, 1001, 1002, 1003, 1004, 1005}, after{1040, 1041, 1042, 1043, 1044, 1045};
    CHECK(judge(before, after).p == 2.0 / 924);
    CHECK(judge(before, after).outcome == undecided);
    CHECK(judge(before, after, {.effect = 0.03}).outcome == slower);
    CHECK(judge(after, before, {.effect = 0.03}).outcome == faster);
}

TEST_CASE("a difference below the clock's resolution is undecided; a batch makes the resolution finer") {
    auto const judged_with = [](double quantum, std::size_t batch) {
        auto before = made::launches(old_times), after = made::launches(scaled(old_times, 1.2));
        for (auto& run : after) run.records[0].clock_properties.resolution = made::ns(quantum);
        for (auto& run : after) run.records[0].batch = batch;
        return tools::compare(tools::match(before, after), {}).at(0).outcome;
    };
    CHECK(judged_with(10, 1) == slower);
    CHECK(judged_with(30, 1) == undecided);
    CHECK(judged_with(30, 10) == slower);
}

TEST_CASE("a difference of one tick is undecided, whatever the doubles make of it") {
    for (double const tick : {0.01, 0.1, 10.0, 0.07}) {
        auto const judged = [&](double ticks) {
            auto before = made::launches(list(8, 12 * tick)), after = made::launches(list(8, (12 + ticks) * tick));
            for (auto* const runs : {&before, &after})
                for (auto& run : *runs) run.records[0].clock_properties.resolution = made::ns(tick);
            return tools::compare(tools::match(before, after), {}).at(0).outcome;
        };
        CHECK(judged(1) == undecided);
        CHECK(judged(-1) == undecided);
        CHECK(judged(2) == slower);
        CHECK(judged(-2) == faster);
    }
}

TEST_CASE("a single launch gets no p and no decision, and its interval is that of its samples") {
    auto const one = tools::match({{{}, {}, {made::row(8, {3, 6, 1, 5, 2, 4})}}}, made::launches(old_times));
    auto const r = tools::compare(one, {}).at(0);
    CHECK(!r.p);
    CHECK(r.outcome == undecided);
    REQUIRE(r.before.interval);
    CHECK(r.before.interval->low == made::ns(1));
    CHECK(r.before.interval->high == made::ns(6));
    CHECK(!r.before.between);
}

TEST_CASE("six launches have an interval over launches, five have none") {
    CHECK(judge(old_times, old_times).before.interval->low == made::ns(100));
    CHECK(judge(old_times, old_times).before.interval->high == made::ns(105));
    CHECK(!judge({1, 2, 3, 4, 5}, old_times).before.interval);
}

TEST_CASE("the spread within launches is that of samples, between them that of medians, relative to the median") {
    // Each launch has quartiles 0.6745 of 1.349 on either side of its median; medians 98, 100, 102 have deviation 2.
    std::vector<sonde::run_file> runs;
    for (double const m : {98.0, 100.0, 102.0}) runs.push_back({{}, {}, {made::row(8, {m - 1.349, m, m + 1.349})}});
    auto const r = tools::compare(tools::match(runs, runs), {}).at(0);
    CHECK(std::lround(r.before.within * 1e9) == 10'000'000);
    CHECK(std::lround(*r.before.between * 1e9) == 20'000'000);
}

TEST_CASE("too few launches for any decision are reported with the number needed") {
    auto const lacking = [](std::size_t n) {
        made::noise noise{1};
        auto both = sweep(noise, 0.01, 1);
        both.first.resize(n);
        return tools::launches_to_decide(judge(both), 0.05);
    };
    CHECK(lacking(5) == 6);
    CHECK(!lacking(6));
    CHECK(!lacking(1));
}

TEST_CASE("comparisons of a program with itself over 23 rows have a false decision at most once in 20") {
    made::noise noise{2024};
    int tripped = 0, differ = 0;
    for (int trial = 0; trial != 1000; ++trial) {
        auto const rows = judge(sweep(noise, 0.2, 1));
        auto const any = [&](auto is_it) { return std::any_of(rows.begin(), rows.end(), is_it); };
        tripped += any([](auto const& r) { return r.outcome == slower; });
        differ += any([](auto const& r) { return r.outcome != undecided; });
    }
    MESSAGE("slower ", tripped, ", slower or faster ", differ, " of 1000");
    CHECK(tripped <= 50);
    CHECK(differ <= 50);
}

TEST_CASE("a row that is 20 % slower is found, and no other") {
    made::noise noise{7};
    int right = 0;
    for (int trial = 0; trial != 100; ++trial) {
        auto const rows = judge(sweep(noise, 0.02, 1.2));
        right += rows.back().outcome == slower &&
                 std::none_of(rows.begin(), rows.end() - 1, [](auto const& r) { return r.outcome == slower; });
    }
    CHECK(right >= 95);
}

TEST_CASE("without noise, of two values and in ticks: three times slower is slower, equal sides are undecided") {
    auto const in_ticks = [](list times, double tick) {
        for (auto& t : times) t = tick * std::round(t / tick);
        return times;
    };
    list const noisy{388.1, 391.7, 390.4, 389.2, 392.9, 387.6};
    for (auto const& before : {list(6, 390), list{390, 400, 390, 400, 390, 400}, in_ticks(noisy, 10), noisy}) {
        auto const after = in_ticks(scaled(before, 3), 10);
        CHECK(judge(before, after).outcome == slower);
        CHECK(judge(after, before).outcome == faster);
        CHECK(std::abs(*judge(before, after).ratio() - 3) < 0.1);
        CHECK(judge(before, before).outcome == undecided);
        CHECK(judge(before, before).p == 1);
    }
}

TEST_CASE("readings of 0 on the old side have no ratio, and a finite summary") {
    auto const found = judge(list(6, 0), list(6, 10));
    CHECK(!found.ratio());
    CHECK(found.before.within == 0);
    CHECK(found.outcome == slower);
    CHECK(judge(list(6, 0), list(6, 0)).outcome == undecided);
    CHECK(tools::comparison_table({found}).back().find("nan") == std::string::npos);
    CHECK(tools::comparison_table({found}).back().find("inf") == std::string::npos);
}

namespace {

using made::row;
using run_files = std::vector<sonde::run_file>;

sonde::record with_parameters(std::vector<sonde::parameter> parameters) {
    auto r = row(8, {1});
    r.point.parameters = std::move(parameters);
    return r;
}

} // namespace

TEST_CASE("records match by name and parameters, in any order") {
    auto const found = tools::match({{{}, {}, {with_parameters({{"a", 1}, {"b", "x"}})}}},
                                    {{{}, {}, {with_parameters({{"b", "x"}, {"a", 1}})}}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].before.medians.size() == 1);
    CHECK(found[0].after.medians.size() == 1);
}

TEST_CASE("another name, or another value, is another row") {
    auto renamed = row(8, {1});
    renamed.point.name = "other";
    CHECK(tools::match({{{}, {}, {row(8, {1})}}}, {{{}, {}, {renamed, row(16, {1})}}}).size() == 3);
}

TEST_CASE("launches whose numbers of repetitions differ have the same row") {
    auto const counted = [](std::size_t n) { return with_parameters({{"bytes", 4}, {"repetitions", n}}); };
    auto const found = tools::match({{{}, {}, {counted(900)}}, {{}, {}, {counted(880)}}}, {{{}, {}, {counted(910)}}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].before.medians.size() == 2);
    CHECK(found[0].after.medians.size() == 1);
    CHECK(tools::name_of(found[0]) == "exchange bytes=4");
}

TEST_CASE("a point that occurs twice in a launch makes two rows, matched in order") {
    auto const twice = run_files{{{}, {}, {row(8, {1}), row(8, {100})}}};
    auto const found = tools::match(twice, twice);
    REQUIRE(found.size() == 2);
    CHECK(found[1].before.medians == made::times({100}));
    CHECK(found[1].after.medians == made::times({100}));
    CHECK(tools::name_of(found[0]) == "exchange bytes=8 link=send");
    CHECK(tools::name_of(found[1]) == "exchange bytes=8 link=send #2");
}

TEST_CASE("each launch gives a row one observation, its median") {
    auto const found = tools::match({{{}, {}, {row(8, {1, 9, 2})}}, {{}, {}, {row(8, {4})}}}, {});
    REQUIRE(found.size() == 1);
    CHECK(found[0].before.medians == made::times({2, 4}));
    CHECK(found[0].after.medians.empty());
}

TEST_CASE("the table has common settings once, and a line for each row with its own settings") {
    auto const launches = [](double by) {
        run_files all;
        for (double const t : {10.0, 11.0, 12.0, 13.0, 14.0, 15.0}) {
            all.push_back({{}, {}, {row(8, {t * by}), row(1048576, {1000 * t * by})}});
        }
        return all;
    };
    auto const lines = tools::comparison_table(tools::compare(tools::match(launches(1), launches(2)), {}));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == "# exchange link=send");
    // clang-format off
    CHECK(lines[1] == "bytes         old          [95 %]  within  between       new          [95 %]  within  between  new/old       p  outcome");
    CHECK(lines[2] == "8        12.50 ns  [10.00, 15.00]   0.0 %   15.0 %  25.00 ns  [20.00, 30.00]   0.0 %   15.0 %    2.000  0.0043  slower");
    CHECK(lines[3] == "1048576  12.50 us  [10.00, 15.00]   0.0 %   15.0 %  25.00 us  [20.00, 30.00]   0.0 %   15.0 %    2.000  0.0043  slower");
    // clang-format on
}
