// SPDX-License-Identifier: BSL-1.0
#include "loops.hpp"

#include <sonde/lateness/find_lateness.hpp>
#include <sonde/lateness/late_delays.hpp>
#include <sonde/lateness/packed.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

using namespace loops;
using namespace std::chrono_literals;

namespace {

using work_time = std::function<seconds(int rank, int step)>;

struct loop_case {
    int ranks;
    shape partners;
};
constexpr loop_case cases[] = {{2, shape::all},   {4, shape::all},   {4, shape::line},
                               {16, shape::ring}, {64, shape::line}, {64, shape::all}};
constexpr int trials = 12; // of each case

/// Call `test(ranks, shape, late, light)` with a planted rank and work of 1 ms with noise of 5 %.
void for_each_case(auto test) {
    for (auto const& of : cases)
        for (int k = 0; k != trials; ++k) {
            CAPTURE(of.ranks);
            CAPTURE(k);
            noise n{static_cast<std::size_t>(1000 * of.ranks + k)};
            test(of.ranks, of.partners, (7 * k + 1) % of.ranks,
                 [&](int, int) { return seconds{1e-3 * (1 + 0.05 * n.uniform())}; });
        }
}

std::vector<std::size_t> every(std::size_t k, std::size_t first, std::size_t end) {
    std::vector<std::size_t> steps;
    for (auto s = first; s < end; s += k) steps.push_back(s);
    return steps;
}

int named_in_healthy_runs(auto work_of, int runs) {
    int named = 0;
    for (auto const& of : cases)
        for (int k = 0; k != runs; ++k) {
            noise n{static_cast<std::size_t>(50'000 + 1000 * of.ranks + k)};
            auto const found = find_lateness(passes_of({of.ranks, 200, of.partners, work_of(n, of.ranks)}));
            named += !found.late.empty() || !found.slow_transfers.empty() || !found.effects.empty();
        }
    return named;
}

} // namespace

TEST_CASE("find_lateness: a rank that is always late is named, with its work") {
    for_each_case([](int ranks, shape partners, int late, work_time const& usual) {
        auto const work = [&](int r, int s) { return usual(r, s) + seconds{r == late ? 300us : 0us}; };
        auto const found = find_lateness(passes_of({ranks, 200, partners, work}));
        REQUIRE(found.late.size() == 1);
        auto const& l = found.late[0];
        CHECK(l.rank == late);
        CHECK(l.exchange == "halo");
        CHECK(l.of_steps == 199);
        CHECK(l.steps.size() > 190);
        CHECK(std::abs(l.lateness.count() - 300e-6) < 30e-6);
        CHECK(l.work.name == "work");
        CHECK_FALSE(l.work.of_other_steps);
        CHECK(std::abs(l.work.ratio - 1.3) < 0.05);
        CHECK(found.slow_transfers.empty());
    });
}

TEST_CASE("find_lateness: a rank that is late in every tenth step is named, with these steps") {
    for_each_case([](int ranks, shape partners, int late, work_time const& usual) {
        auto const work = [&](int r, int s) { return usual(r, s) + seconds{r == late && s % 10 == 9 ? 2ms : 0ms}; };
        auto const found = find_lateness(passes_of({ranks, 200, partners, work}));
        REQUIRE(found.late.size() == 1);
        auto const& l = found.late[0];
        CHECK(l.rank == late);
        CHECK(l.steps == every(10, 9, 200));
        CHECK(l.work.of_other_steps);
        CHECK(std::abs(l.work.ratio - 3) < 0.2);
        auto const share = l.caused / (waiting_share(found) * found.observed);
        CHECK(share > 0.6);
        CHECK(share <= 1);
    });
}

TEST_CASE("find_lateness: a rank that is late in every tenth step beside steps of others that take ten times as long") {
    for (int k = 0; k != trials; ++k) {
        noise n{static_cast<std::size_t>(k)};
        auto const work = [&](int r, int s) {
            return seconds{1e-3 * (1 + (n.uniform() < 0.02 ? 10 : 0)) + (r == 1 && s % 10 == 9 ? 2e-3 : 0)};
        };
        auto const found = find_lateness(passes_of({4, 400, shape::all, work}));
        REQUIRE(found.late.size() == 1);
        CHECK(found.late[0].rank == 1);
        CHECK(found.late[0].steps == every(10, 9, 400));
    }
}

TEST_CASE("find_lateness: two ranks that are late at once are named both") {
    for_each_case([](int ranks, shape partners, int late, work_time const& usual) {
        // Of two late ranks with one neighbor in common, the earlier one delays nobody.
        if (ranks == 2 || partners != shape::all) return;
        auto const other = (late + ranks / 2) % ranks;
        auto const work = [&](int r, int s) { return usual(r, s) + seconds{r == late || r == other ? 400us : 0us}; };
        auto const found = find_lateness(passes_of({ranks, 200, partners, work}));
        REQUIRE(found.late.size() == 2);
        CHECK(found.late[0].rank + found.late[1].rank == late + other);
    });
}

TEST_CASE("find_lateness: of three exchanges the one that a rank reaches late is named") {
    loop const l{4, 600, shape::all, [](int r, int s) { return seconds{r == 2 && s % 3 == 1 ? 1500us : 1ms}; }};
    auto passes = passes_of(l);
    passes.exchanges = {{"a"}, {"b"}, {"c"}};
    for (std::size_t s = 0; s != passes.steps.size(); ++s) passes.steps[s] = {s % 3, s / 3};
    auto const found = find_lateness(passes);
    REQUIRE(found.late.size() == 1);
    CHECK(found.late[0].exchange == "b");
    CHECK(found.late[0].steps.size() == 200);
    REQUIRE(found.exchanges.size() == 3);
    CHECK(found.exchanges[0].waiting < 1us);
    CHECK(std::abs(found.exchanges[1].waiting.count() - 3 * 200 * 500e-6) < 1e-6);
}

TEST_CASE("find_lateness: a rank that is late from a step on is named with these steps") {
    for (int k = 0; k != trials; ++k) {
        noise n{static_cast<std::size_t>(k)};
        auto const work = [&](int r, int s) {
            return seconds{1e-3 * (1 + 0.05 * n.uniform()) + (r == 1 && s >= 140 ? 3e-4 : 0)};
        };
        auto const found = find_lateness(passes_of({4, 200, shape::all, work}));
        REQUIRE(found.late.size() == 1);
        CHECK(found.late[0].rank == 1);
        auto const first = found.late[0].steps.front();
        CHECK(first >= 137);
        CHECK(first <= 143);
        CHECK(found.late[0].steps == every(1, first, 200));
    }
}

TEST_CASE("find_lateness: work before one of two kinds of steps took so many times as on the other ranks") {
    // The exchange is passed at two places: in odd steps after work of 1 ms, and in even steps after 0 or 0.1 ms.
    for (auto const between : {seconds{}, seconds{1e-4}}) {
        auto const work = [&](int r, int s) { return s % 2 == 1 ? seconds{r == 2 ? 3e-3 : 1e-3} : between; };
        auto const found = find_lateness(passes_of({4, 200, shape::all, work}));
        REQUIRE(found.late.size() == 1);
        CHECK(found.late[0].rank == 2);
        CHECK(found.late[0].steps == every(2, 1, 200));
        CHECK(found.late[0].work.name == "work");
        CHECK_FALSE(found.late[0].work.of_other_steps);
        CHECK(std::abs(found.late[0].work.ratio - 3) < 1e-9);
    }
}

TEST_CASE("find_lateness: where ranks are late by turns, none is named") {
    for_each_case([](int ranks, shape partners, int, work_time const& usual) {
        auto const work = [&](int r, int s) { return usual(r, s) + seconds{r == 7 * s % ranks ? 300us : 0us}; };
        auto const found = find_lateness(passes_of({ranks, 200, partners, work}));
        CHECK(found.late.empty());
        CHECK(waiting_share(found) > 0.02);
    });
}

TEST_CASE("find_lateness: a slow link is named by both its ranks, and nobody is late") {
    for_each_case([](int ranks, shape partners, int late, work_time const& usual) {
        if (ranks == 2 || late == ranks - 1) return;
        loop l{ranks, 200, partners, usual};
        l.transfer = [&](int r, int) { return seconds{r == late || r == late + 1 ? 300us : 100us}; };
        auto const found = find_lateness(passes_of(l));
        CHECK(found.late.empty());
        REQUIRE(found.slow_transfers.size() == 1);
        CHECK(found.slow_transfers[0].ranks == std::vector{late, late + 1});
        CHECK(std::abs(found.slow_transfers[0].ratio - 3) < 0.01);
    });
}

TEST_CASE("find_lateness: of healthy loops at most one in a hundred names a rank, whatever the noise") {
    constexpr int runs = 50; // of each case
    constexpr auto all = static_cast<int>(std::size(cases)) * runs;
    auto const little = [](noise& n, int) { return [&](int, int) { return seconds{1e-3 * (1 + 0.1 * n.uniform())}; }; };
    CHECK(named_in_healthy_runs(little, runs) <= all / 100);
    auto const heavy = [](noise& n, int) { return [&](int, int) { return seconds{1e-3 * (1 + n.heavy())}; }; };
    CHECK(named_in_healthy_runs(heavy, runs) <= all / 100);
    auto const correlated = [](noise& n, int ranks) {
        return [&n, before = std::vector<double>(static_cast<std::size_t>(ranks), 5. / 3)](int r, int) mutable {
            auto& x = before[static_cast<std::size_t>(r)];
            x = 0.7 * x + n.uniform();
            return seconds{1e-3 * (1 + x)};
        };
    };
    CHECK(named_in_healthy_runs(correlated, runs) <= all / 100);
    auto const in_ticks = [](noise& n, int) {
        return [&](int, int) { return seconds{1e-3 * (10 + std::floor(3 * n.uniform()))}; };
    };
    CHECK(named_in_healthy_runs(in_ticks, runs) <= all / 100);
}

TEST_CASE(
    "find_lateness: of short loops with noise that lasts, or is larger on one rank, one in a hundred names a rank") {
    constexpr int runs = 200;
    struct {
        double memory, share; // autocorrelation from step to step; noise of rank 1 over that of the others
        seconds longer;       // work of rank 1
        int least, most;      // runs that name rank 1 alone
    } const loops[] = {{0.7, 1, 0us, 0, runs / 100}, {0.9, 1, 0us, 0, runs * 3 / 100},
                       {0, 4, 0us, 0, runs / 100},   {0.7, 4, 0us, 0, runs / 100},
                       {0, 1, 250us, runs, runs},    {0.5, 1, 250us, runs * 19 / 20, runs}};
    for (auto const& of : loops)
        for (int const ranks : {2, 4}) {
            int named = 0, of_rank_1 = 0;
            for (int k = 0; k != runs; ++k) {
                noise n{static_cast<std::size_t>(70'000 + 1000 * ranks + k)};
                std::vector<double> x(static_cast<std::size_t>(ranks));
                auto const innovation = [&] { // normal, nearly: standard deviation 1
                    double sum = -6;
                    for (int i = 0; i != 12; ++i) sum += n.uniform();
                    return sum;
                };
                for (auto& v : x) v = innovation();
                auto const work = [&](int r, int) {
                    auto& v = x[static_cast<std::size_t>(r)];
                    v = of.memory * v + std::sqrt(1 - of.memory * of.memory) * innovation();
                    return seconds{1e-3 * (1 + 0.05 * (r == 1 ? of.share : 1) * v)} + (r == 1 ? of.longer : 0us);
                };
                auto const found = find_lateness(passes_of({ranks, 40, shape::all, work}));
                named += !found.late.empty();
                of_rank_1 += found.late.size() == 1 && found.late[0].rank == 1;
            }
            CAPTURE(of.memory);
            CAPTURE(of.share);
            CAPTURE(ranks);
            CHECK((of.longer > 0us ? of_rank_1 : named) >= of.least);
            CHECK((of.longer > 0us ? of_rank_1 : named) <= of.most);
        }
}

TEST_CASE("find_lateness: the tail of Student's t distribution") {
    using sonde::detail::student_tail;
    CHECK(std::abs(student_tail(12.7062, 1) - 0.025) < 1e-6);
    CHECK(std::abs(student_tail(4.30265, 2) - 0.025) < 1e-6);
    CHECK(std::abs(student_tail(3.18245, 3) - 0.025) < 1e-6);
    CHECK(std::abs(student_tail(2.22814, 10) - 0.025) < 1e-6);
    CHECK(std::abs(student_tail(-1.98397, 100) - 0.975) < 1e-6);
    CHECK(student_tail(0, 7) == 0.5);
}

TEST_CASE("find_lateness: a rank that is late in half of the loop, beside a rank that is a little late in each step") {
    for (int k = 0; k != trials; ++k) {
        noise n{static_cast<std::size_t>(k)};
        auto const work = [&](int r, int s) {
            return seconds{1e-3 * (1 + 0.01 * n.uniform()) + (r == 1 && s < 100 ? 1e-3 : 0) + (r == 0 ? 3e-5 : 0)};
        };
        auto const found = find_lateness(passes_of({2, 200, shape::all, work}));
        REQUIRE(found.late.size() == 1);
        CHECK(found.late[0].rank == 1);
        CHECK(found.late[0].steps.size() > 95);
        CHECK(found.late[0].steps.back() < 103);
    }
}

TEST_CASE("find_lateness: where ranks share processors, no transfer is called slow") {
    loop l{4, 100, shape::all, [](int, int) { return seconds{1ms}; }};
    l.transfer = [](int r, int) { return seconds{r == 2 ? 900us : 300us}; };
    auto passes = passes_of(l);
    CHECK(find_lateness(passes).slow_transfers.size() == 1);
    passes.oversubscribed = true;
    CHECK(find_lateness(passes).slow_transfers.empty());
}

TEST_CASE("find_lateness: steps in which work takes longer on all ranks are named, and nobody is late") {
    for_each_case([](int ranks, shape partners, int, work_time const& usual) {
        auto const work = [&](int r, int s) { return usual(r, s) + seconds{s % 7 == 3 ? 500us : 0us}; };
        auto const found = find_lateness(passes_of({ranks, 210, partners, work}));
        CHECK(found.late.empty());
        REQUIRE(found.effects.size() == 1);
        CHECK(found.effects[0].scope == "work");
        CHECK(found.effects[0].effect.kind == sonde::step_effect_kind::period);
        CHECK(found.effects[0].effect.steps == every(7, 3, 210));
        CHECK(std::abs(found.effects[0].effect.excess.count() - 500e-6) < 30e-6);
    });
}

TEST_CASE("find_lateness: a loop of equal times waits for nobody") {
    auto const found = find_lateness(passes_of({4, 100, shape::all, [](int, int) { return seconds{1ms}; }}));
    CHECK(waiting_share(found) < 1e-9);
    CHECK(found.late.empty());
    REQUIRE(found.low.has_value());
    CHECK(*found.low <= *found.high);
}

TEST_CASE("find_lateness: the interval of the waiting covers that of many runs in 95 of 100") {
    int inside = 0;
    constexpr int runs = 400;
    std::vector<sonde::lateness_record> all;
    double mean = 0;
    for (int k = 0; k != runs; ++k) {
        noise n{static_cast<std::size_t>(k)};
        all.push_back(find_lateness(
            passes_of({4, 200, shape::all, [&](int, int) { return seconds{1e-3 * (1 + n.uniform())}; }})));
        mean += waiting_share(all.back()) / runs;
    }
    for (auto const& found : all) inside += *found.low <= mean && mean <= *found.high;
    CHECK(inside >= 370);
    CHECK(inside <= 392);
}

TEST_CASE("find_lateness: few steps name nobody, and no steps and no ranks have no waiting") {
    auto const late = [](int r, int) { return seconds{r == 1 ? 2ms : 1ms}; };
    auto const few = find_lateness(passes_of({4, 39, shape::all, late}));
    CHECK_FALSE(few.enough_steps);
    CHECK(few.late.empty());
    CHECK_FALSE(few.low.has_value());
    CHECK(waiting_share(few) > 0.2);
    CHECK(sonde::find_lateness({}).steps == 0);
    CHECK(find_lateness(passes_of({3, 0, shape::ring, late})).observed == seconds{});
    CHECK(find_lateness(passes_of({1, 100, shape::all, late})).late.empty());
}

TEST_CASE("find_lateness: delays within the error of the clocks name nobody") {
    auto passes = passes_of({4, 100, shape::all, [](int r, int) { return seconds{r == 1 ? 1300us : 1ms}; }});
    CHECK(find_lateness(passes).late.size() == 1);
    passes.clock_error = 301us;
    CHECK(find_lateness(passes).late.empty());
}

TEST_CASE("packed: a record that is sent as numbers is the same") {
    loop l{4, 100, shape::all, [](int r, int s) { return seconds{r == 2 && s % 5 == 0 ? 3ms : 1ms}; }};
    l.transfer = [](int r, int) { return seconds{r > 1 ? 900us : 300us}; };
    auto const found = find_lateness(passes_of(l));
    REQUIRE(found.late.size() == 1);
    REQUIRE(found.slow_transfers.size() == 1);
    auto const numbers = sonde::detail::packed(found);
    auto const again = sonde::detail::unpacked(numbers);
    CHECK(sonde::detail::packed(again) == numbers);
    CHECK(again.late[0].work.name == "work");
    CHECK(again.late[0].steps == found.late[0].steps);
    CHECK(again.slow_transfers[0].ranks == std::vector{2, 3});
    CHECK(again.low == found.low);
}
