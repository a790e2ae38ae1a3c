// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"
#include "loops.hpp"

#include <sonde/lateness/delay_costs.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

using namespace loops;
using namespace std::chrono_literals;
using unit::ns;

namespace {

/// Work of 1 ms on each rank, with `extra` for one rank in one step.
loop with_delay(int ranks, shape partners, int late, int at, seconds extra) {
    return {ranks, 8, partners,
            [=](int r, int s) { return seconds{1ms} + (r == late && s == at ? extra : seconds{}); }};
}

seconds sum_of_waiting(sonde::delay_costs const& costs, int ranks, std::size_t steps) {
    seconds sum{};
    for (std::size_t s = 0; s != steps; ++s)
        for (int r = 0; r != ranks; ++r) sum += costs.waiting(s, r);
    return sum;
}

} // namespace

TEST_CASE("delay costs: a rank waits until the last one has entered, and the rest is transfer") {
    auto const passes = passes_of(with_delay(4, shape::all, 2, 3, 300us));
    sonde::delay_costs const costs{passes};
    for (int r = 0; r != 4; ++r) {
        CHECK(ns(costs.waiting(3, r)) == (r == 2 ? 0 : 300'000));
        CHECK(ns(costs.transfer(3, r)) == 10'000);
        CHECK(ns(costs.waiting(2, r)) == 0);
        CHECK(ns(costs.waiting(4, r)) == 0);
        CHECK(ns(costs.work_excess(3, r)) == (r == 2 ? 300'000 : 0));
        CHECK(ns(costs.caused_by_work(r)) == (r == 2 ? 900'000 : 0));
        CHECK(ns(costs.caused_by_transfer(r)) == 0);
    }
    CHECK(ns(costs.worst_caused_by_work(2)) == 300'000);
}

TEST_CASE("delay costs: the wait of distant neighbors in later steps is charged to the rank that was late") {
    // On a line the delay of rank 0 reaches rank 4 four steps later; each rank waits once.
    auto const passes = passes_of(with_delay(5, shape::line, 0, 2, 300us));
    sonde::delay_costs const costs{passes};
    for (int r = 1; r != 5; ++r)
        for (std::size_t s = 1; s != 8; ++s)
            CHECK(ns(costs.waiting(s, r)) == (s == static_cast<std::size_t>(r) + 1 ? 300'000 : 0));
    CHECK(ns(costs.caused_by_work(0)) == 4 * 300'000);
    for (int r = 1; r != 5; ++r) CHECK(ns(costs.caused_by_work(r)) == 0);
}

TEST_CASE("delay costs: a wait for a rank that was delayed by itself and by another one is charged to both") {
    // Rank 0 is 300 us late in step 2; rank 1, which waits for it, is 100 us late in step 3; then rank 2 waits 400 us.
    auto l = with_delay(3, shape::line, 0, 2, 300us);
    l.work = [of = l.work](int r, int s) { return of(r, s) + (r == 1 && s == 3 ? seconds{100us} : seconds{}); };
    auto const passes = passes_of(l);
    sonde::delay_costs const costs{passes};
    CHECK(ns(costs.waiting(2, 1)) == 300'000);
    CHECK(ns(costs.waiting(3, 0)) == 100'000);
    CHECK(ns(costs.waiting(3, 2)) == 400'000);
    CHECK(ns(costs.caused_by_work(0)) == 600'000);
    CHECK(ns(costs.caused_by_work(1)) == 200'000);
    CHECK(ns(costs.caused_by_work(2)) == 0);
}

TEST_CASE("delay costs: a wait for a rank whose transfer was slow is charged to its transfer") {
    auto l = with_delay(5, shape::line, 0, 0, 0us);
    l.transfer = [](int r, int s) { return seconds{r == 4 && s == 3 ? 510us : 10us}; };
    auto const passes = passes_of(l);
    sonde::delay_costs const costs{passes};
    CHECK(ns(costs.transfer(3, 4)) == 510'000);
    CHECK(ns(costs.transfer_excess(3, 4)) == 500'000);
    CHECK(ns(costs.waiting(4, 3)) == 500'000);
    CHECK(ns(costs.caused_by_transfer(4)) == 4 * 500'000);
    for (int r = 0; r != 5; ++r) CHECK(ns(costs.caused_by_work(r)) == 0);
}

TEST_CASE("delay costs: of two ranks the slower one is late, in each step another one") {
    loop const l{2, 9, shape::all, [](int r, int s) { return seconds{r == s % 2 ? 1200us : 1ms}; }};
    auto const passes = passes_of(l);
    sonde::delay_costs const costs{passes};
    CHECK(ns(costs.caused_by_work(0)) == 4 * 200'000); // steps 2, 4, 6 and 8: the first one is not counted
    CHECK(ns(costs.caused_by_work(1)) == 4 * 200'000);
}

TEST_CASE("delay costs: the first step of a loop is not counted, and its lateness is nobody's work") {
    auto const passes = passes_of(with_delay(4, shape::line, 1, 0, 50ms));
    sonde::delay_costs const costs{passes};
    CHECK_FALSE(costs.counted(0, 1));
    CHECK(costs.counted(1, 1));
    for (int r = 0; r != 4; ++r) CHECK(ns(costs.work_excess(0, r)) == 0);
    CHECK(ns(costs.waiting(1, 3)) == 50'000'000); // it reaches the end of the line in the next step
    CHECK(ns(costs.caused_by_work(1)) == 50'000'000);
}

TEST_CASE("delay costs: a rank that leaves before another one enters does not wait for it") {
    sonde::exchange_passes passes{.ranks = 2, .exchanges = {{"send"}}};
    for (int s = 0; s != 3; ++s) {
        seconds const begin = s * 10ms;
        passes.steps.push_back({0, static_cast<std::size_t>(s)});
        passes.passes.push_back({begin, begin + 10us, true});
        passes.passes.push_back({begin + 5ms, begin + 5ms + 20us, true});
    }
    sonde::delay_costs const costs{passes};
    CHECK(ns(sum_of_waiting(costs, 2, 3)) == 0);
    CHECK(ns(costs.transfer(1, 0)) == 10'000);
}

TEST_CASE("delay costs: a wait within the error of the clocks is transfer") {
    auto passes = passes_of(with_delay(4, shape::all, 2, 3, 3us));
    passes.clock_error = 3.001us;
    CHECK(ns(sum_of_waiting(sonde::delay_costs{passes}, 4, 8)) == 0);
    passes.clock_error = 2.999us;
    CHECK(ns(sum_of_waiting(sonde::delay_costs{passes}, 4, 8)) == 9000);
}

TEST_CASE("delay costs: an exchange of several phases passes a delay on within one pass") {
    // A ring of four in which rank 0 waits for rank 1, which waits for the late rank 2, before any of them leaves.
    auto passes = passes_of(with_delay(4, shape::ring, 2, 3, 0us));
    passes.passes[3 * 4 + 2].entry += 400us;
    for (std::size_t i = 3 * 4; i != passes.passes.size(); ++i) {
        passes.passes[i].exit += 400us;
        if (i >= 4 * 4) passes.passes[i].entry += 400us;
    }
    sonde::delay_costs const costs{passes};
    for (int r = 0; r != 4; ++r) {
        CHECK(ns(costs.waiting(3, r)) == (r == 2 ? 0 : 400'000));
        CHECK(ns(costs.transfer(3, r)) == 10'000);
    }
    CHECK(ns(costs.caused_by_work(2)) == 3 * 400'000);
}

TEST_CASE("delay costs: a rank without an exchange is left out of its steps, and an absent partner is not awaited") {
    auto passes = passes_of(with_delay(4, shape::ring, 1, 3, 300us));
    for (std::size_t s = 0; s != passes.steps.size(); ++s) passes.passes[s * 4 + 3].present = false;
    sonde::delay_costs const costs{passes};
    CHECK_FALSE(costs.counted(5, 3));
    CHECK(ns(costs.waiting(3, 0)) == 300'000);
    CHECK(ns(costs.waiting(3, 3)) == 0);
    CHECK(ns(costs.caused_by_work(1)) == 600'000);
}

TEST_CASE("delay vector: the smallest amounts are left out") {
    sonde::detail::delay_vector d;
    for (std::size_t c = 0; c != 100; ++c) d.add(c, seconds{(c % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(c)});
    CHECK(d.entries().size() == 32);
    CHECK(d.of(99) == seconds{-99});
    CHECK(d.of(68) == seconds{68});
    CHECK(d.of(67) == seconds{});
    sonde::detail::delay_vector e;
    e.add(98, seconds{90});
    e.add(1, seconds{1});
    std::vector<std::size_t> different;
    sonde::detail::delay_vector::for_each_difference(d, e, [&](std::size_t cause, seconds amount) {
        CHECK(amount == d.of(cause) - e.of(cause));
        different.push_back(cause);
    });
    CHECK(different.size() == 33);
    CHECK(different.front() == 1);
    CHECK(different.back() == 99);
}

TEST_CASE("delay costs: a partner that has sent before it computes is waited for until it has sent") {
    // Rank 0 computes 300 us longer than rank 1 between its send and the exchange; rank 1 waits a step later.
    sonde::exchange_passes passes{.ranks = 2, .exchanges = {{"halo"}}, .works = {}};
    seconds sent[] = {0us, 0us};
    for (std::size_t s = 0; s != 6; ++s) {
        passes.steps.push_back({0, s});
        seconds const entry[] = {sent[0] + 1300us, sent[1] + 1000us};
        seconds const exit[] = {std::max(entry[0], sent[1]), std::max(entry[1], sent[0])};
        for (std::size_t r = 0; r != 2; ++r) {
            passes.passes.push_back({entry[r], exit[r], true, entry[r] - sent[r]});
            sent[r] = exit[r];
        }
    }
    sonde::delay_costs const costs{passes};
    for (std::size_t s = 1; s != 6; ++s) {
        CHECK(ns(costs.work_excess(s, 0)) == 300'000);
        CHECK(ns(costs.waiting(s, 0)) == 0);
    }
    CHECK(ns(costs.caused_by_work(0)) == ns(sum_of_waiting(costs, 2, 6)));
    CHECK(ns(sum_of_waiting(costs, 2, 6)) > 0);
}
