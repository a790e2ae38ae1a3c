// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/history.hpp"
#include "tools/compare/history_text.hpp"
#include "tools/text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "support.hpp"

namespace {

/// A night with a launch of each time, of one row.
tools::night made_night(std::string const& path, std::vector<double> const& times, std::string date = {}) {
    return {{path, made::launches(times)}, std::move(date)};
}

/// A night for each time, with the date of a day of May.
std::vector<tools::night> may(std::vector<double> const& times) {
    std::vector<tools::night> nights;
    for (std::size_t i = 0; i != times.size(); ++i) {
        auto const day = (i < 9 ? "0" : "") + std::to_string(i + 1);
        nights.push_back(made_night(day + ".jsonl", {times[i]}, "2026-05-" + day + "T03:00:00Z"));
    }
    tools::put_in_order(nights);
    return nights;
}

/// `count` times of each level, with 0, 0.01, 0.02 .. added, so that none are equal.
std::vector<double> levels(std::vector<std::pair<std::size_t, double>> const& all) {
    std::vector<double> times;
    for (auto const& [count, time] : all)
        for (std::size_t i = 0; i != count; ++i) times.push_back(time + 0.01 * static_cast<double>(i * 7 % 10));
    return times;
}

std::vector<std::string> night_names(std::vector<tools::night> const& nights) {
    std::vector<std::string> all;
    for (auto const& n : nights) all.push_back(n.name);
    return all;
}

tools::row_history judged(std::vector<double> const& times, tools::criteria const& required = {0.05, 0.01}) {
    return tools::histories(may(times), required).at(0);
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("nights are in the order of their dates, and named by their days") {
    std::vector nights{made_night("b", {1}, "2026-05-02T03:00:00Z"), made_night("a", {1}, "2026-05-01T03:00:00Z")};
    tools::put_in_order(nights);
    CHECK(night_names(nights) == texts{"2026-05-01", "2026-05-02"});
    CHECK(nights[0].launches.path == "a");
}

TEST_CASE("two nights of one day are named by their dates") {
    std::vector nights{made_night("b", {1}, "2026-05-01T23:00:00Z"), made_night("a", {1}, "2026-05-01T03:00:00Z")};
    tools::put_in_order(nights);
    CHECK(night_names(nights) == texts{"2026-05-01T03:00:00Z", "2026-05-01T23:00:00Z"});
}

TEST_CASE("nights of which one has no date stay in the order given, named by their paths") {
    std::vector nights{made_night("b", {1}, "2026-05-02T03:00:00Z"), made_night("a", {1})};
    tools::put_in_order(nights);
    CHECK(night_names(nights) == texts{"b", "a"});
}

TEST_CASE("the date of a night is that of its first environment that has a date") {
    tools::launch_set launches{"a", std::vector<sonde::run_file>(3)};
    CHECK(tools::date_of(launches).empty());
    launches.runs[1].environment.emplace().date = "today";
    launches.runs[2].environment.emplace().date = "2026-05-02T03:00:00Z";
    CHECK(tools::date_of(launches) == "2026-05-02T03:00:00Z");
    launches.runs[0].environment.emplace().date = "2026-05-03";
    CHECK(tools::date_of(launches) == "2026-05-03");
}

TEST_CASE("a night counts once, by the median of its launches") {
    std::vector<tools::night> nights;
    for (int i = 0; i != 12; ++i) nights.push_back(made_night("n", {100, 101, 900}));
    auto const row = tools::histories(nights, {0.05, 0.01}).at(0);
    REQUIRE(row.course.size() == 12);
    CHECK(row.course[0].median == made::ns(101));
    CHECK(row.course[0].launches == 3);
    CHECK(row.changes.empty());
    CHECK(row.levels == made::times({101}));
}

TEST_CASE("a change has its night, the levels with their numbers of nights, the ratio and its interval") {
    auto const row = judged(levels({{12, 100}, {10, 120}}));
    REQUIRE(row.changes.size() == 1);
    auto const& c = row.changes[0];
    CHECK(c.at == 12);
    CHECK(c.nights_before == 12);
    CHECK(c.nights_after == 10);
    CHECK(c.outcome() == sonde::outcome::slower);
    CHECK(std::abs(*c.ratio() - 1.2) < 0.001);
    REQUIRE(c.interval);
    CHECK(c.interval->low > 1.199);
    CHECK(c.interval->high < 1.201);
    CHECK(judged(levels({{12, 120}, {10, 100}})).changes.at(0).outcome() == sonde::outcome::faster);
}

TEST_CASE("levels that differ by less than the effect are one level, those that differ least first") {
    CHECK(judged(levels({{12, 100}, {12, 104}})).changes.empty());
    CHECK(judged(levels({{12, 100}, {12, 104}}), {0.03, 0.01}).changes.size() == 1);
    auto const row = judged(levels({{12, 100}, {12, 102}, {12, 130}}));
    REQUIRE(row.changes.size() == 1);
    CHECK(row.changes[0].at == 24);
    CHECK(row.changes[0].nights_before == 24);
}

TEST_CASE("levels that differ by one tick of the clock are one level") {
    auto nights = may(levels({{12, 10}, {12, 20}}));
    CHECK(tools::histories(nights, {0.05, 0.01}).at(0).changes.size() == 1);
    for (auto& n : nights) n.launches.runs[0].records[0].clock_properties.resolution = made::ns(10);
    CHECK(tools::histories(nights, {0.05, 0.01}).at(0).changes.empty());
}

TEST_CASE("a row that some nights do not have is judged by the others") {
    auto nights = may(levels({{12, 100}, {12, 200}}));
    nights[3].launches.runs[0].records = {made::row(64, {7})};
    auto const rows = tools::histories(nights, {0.05, 0.01});
    REQUIRE(rows.size() == 2);
    REQUIRE(rows[0].changes.size() == 1);
    CHECK(rows[0].changes[0].nights_before == 11);
    CHECK(rows[0].nights[rows[0].changes[0].at] == 12);
    CHECK(rows[1].nights == std::vector<std::size_t>{3});
}

TEST_CASE("a row ends slower if its last level is slower than any before") {
    auto const ends_slower = [](std::vector<std::pair<std::size_t, double>> const& all) {
        return tools::ends_slower(judged(levels(all)), 0.05);
    };
    CHECK(!ends_slower({{24, 100}}));
    CHECK(ends_slower({{12, 100}, {12, 120}}));
    CHECK(!ends_slower({{12, 120}, {12, 100}}));
    CHECK(!ends_slower({{12, 100}, {12, 120}, {12, 100}}));
    CHECK(ends_slower({{12, 100}, {12, 140}, {12, 120}}));
    CHECK(ends_slower({{12, 140}, {12, 100}, {12, 120}}));
}

TEST_CASE("readings of 0 have levels, and no ratio") {
    auto times = std::vector<double>(12, 0);
    times.insert(times.end(), 12, 50);
    auto const row = judged(times);
    REQUIRE(row.changes.size() == 1);
    CHECK(!row.changes[0].ratio());
    CHECK(!row.changes[0].interval);
    CHECK(!row.ratio());
}

TEST_CASE("too few nights for any change are reported with the number needed") {
    CHECK(tools::nights_to_decide({judged(levels({{11, 100}}))}, 0.01) == 12);
    CHECK(!tools::nights_to_decide({judged(levels({{12, 100}}))}, 0.01));
    // Rows of 2 nights have little part in the rate: a row of 15 nights is judged as one of three, not as one of 21.
    std::vector rows(20, judged(levels({{2, 100}})));
    CHECK(tools::nights_to_decide(rows, 0.01) == 16);
    rows.push_back(judged(levels({{15, 100}})));
    CHECK(!tools::nights_to_decide(rows, 0.01));
}

TEST_CASE("files without a row in common are refused") {
    std::vector nights{made_night("a", {1}), made_night("b", {1})};
    nights[1].launches.runs[0].records = {made::row(64, {1})};
    CHECK_THROWS_WITH(tools::histories(nights, {}), "no row is in two of these files");
}

TEST_CASE("the tables of a history: rows with their levels, changes in the order of their nights") {
    auto nights = may(levels({{12, 100}, {9, 130}, {9, 100}}));
    for (std::size_t i = 0; i != nights.size(); ++i)
        nights[i].launches.runs[0].records.push_back(
            made::row(64, {(i < 20 ? 3000 : 2000) + 8. * static_cast<double>(i % 4)}));
    auto const rows = tools::histories(nights, {0.05, 0.01});
    CHECK(tools::common_settings(rows) == "# exchange link=send");
    CHECK(tools::aligned(tools::history_cells(nights, rows), {.first = true, .last = true}) ==
          texts{"bytes  nights     first      last  last/first  changes",
                "8          30  100.0 ns  100.0 ns       1.000  2026-05-13, 2026-05-22",
                "64         30  3.012 us  2.008 us       0.667  2026-05-21"});
    // clang-format off
    CHECK(tools::aligned(tools::change_cells(nights, rows), {.first = true, .last = true}) ==
          texts{"since       bytes    before  nights     after  nights  after/before          [95 %]        p  outcome",
                "2026-05-13      8  100.0 ns      12  130.1 ns       9         1.300  [1.300, 1.300]  <0.0001  slower",
                "2026-05-21     64  3.012 us      20  2.008 us      10         0.667  [0.665, 0.669]  <0.0001  faster",
                "2026-05-22      8  130.1 ns       9  100.0 ns       9         0.769  [0.769, 0.770]  <0.0001  faster"});
    // clang-format on
    nights[12].launches.runs[0].environment = made::environment();
    nights[11].launches.runs[0].environment = made::environment();
    nights[12].launches.runs[0].environment->communication_library = "Some MPI 5";
    CHECK(tools::night_lines(nights, rows) == texts{"since 2026-05-13 (13.jsonl): 1 slower, 0 faster",
                                                    "  communication library differs: old Some MPI 4, new Some MPI 5",
                                                    "since 2026-05-21 (21.jsonl): 0 slower, 1 faster",
                                                    "since 2026-05-22 (22.jsonl): 0 slower, 1 faster"});
}

TEST_CASE("a shift by the smallest effect is found in about half of the histories, and one of 7 % in all") {
    made::noise noise{5};
    auto const found = [&](double shift) {
        int count = 0;
        for (int trial = 0; trial != 100; ++trial) {
            auto times = noise(15, 1000, 0.01);
            auto const after = noise(15, 1000 * shift, 0.01);
            times.insert(times.end(), after.begin(), after.end());
            count += !judged(times).changes.empty();
        }
        return count;
    };
    auto const by_effect = found(1.05), by_more = found(1.07);
    MESSAGE("by 5 % ", by_effect, ", by 7 % ", by_more, " of 100");
    CHECK(by_effect >= 30);
    CHECK(by_effect <= 70);
    CHECK(by_more == 100);
}
