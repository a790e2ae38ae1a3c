// SPDX-License-Identifier: BSL-1.0
#include <sonde/sim.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "overlap_support.hpp"

using namespace unit;

TEST_CASE("overlap: 0 for a library that progresses only in its wait, for any work and tests") {
    for (int ranks = 1; ranks != 5; ++ranks)
        for (auto const tests : {0u, 1u, 7u})
            for (auto const length : {10us, 40us, 100us}) CHECK(overlap_ppb(ranks, in_wait, tests, length) == 0);
}

TEST_CASE("overlap: 1 for an offloaded communication beside work as long or longer") {
    for (int ranks = 1; ranks != 5; ++ranks)
        for (auto const tests : {0u, 1u, 7u})
            for (auto const length : {40us, 100us}) CHECK(overlap_ppb(ranks, offloaded, tests, length) == all);
}

TEST_CASE("overlap: shorter work overlaps with its own length of an offloaded communication") {
    CHECK(overlap_ppb(1, offloaded, 0, 10us) == all / 4);
    CHECK(overlap_ppb(3, offloaded, 5, 30us) == all / 4 * 3);
}

TEST_CASE("overlap: with progress in calls, each stage that a test begins overlaps until the next test") {
    // Stages of 10 us, work of 40 us; start begins the first.
    std::vector<long long> found;
    for (std::size_t tests = 0; tests != 9; ++tests) found.push_back(overlap_ppb(2, in_calls, tests, 40us));
    std::vector<long long> const expected{
        all / 4,      // none: the first stage
        all / 4,      // at 40 us, at the end of the work
        all / 4 * 2,  // at 20 us
        all / 4 * 3,  // at 13.3 and 26.7 us
        all,          // at 10, 20 and 30 us: all stages
        all / 10 * 7, // at 16 us, at 32 us: the third stage ends 2 us after the work, the fourth 10 us later
        all / 4 * 3,  // at 13.3, 26.7, 40 us: the third has ended, the fourth begins
        893'000'000,  // at 11.43, 22.86, 34.28 us: the fourth ends 4.28 us after the work
        all,          // at 10, 20 and 30 us again
    };
    CHECK(found == expected);
}

TEST_CASE("overlap: the cost of tests does not overlap") {
    auto c = in_calls;
    c.test_time = 1us;
    CHECK(overlap_ppb(2, c, 4, 40us) == all / 10 * 9); // four tests of 1 us, 40 us of communication
}

TEST_CASE("overlap: the processor time of the communication's start does not overlap") {
    CHECK(overlap_ppb(3, {progress_mode::offloaded, 1, 7us, 3us}, 0, 10us) == all / 10 * 7);
}

namespace {

/// Every rank sends to the right and receives from the left.
struct ring {
    process* self;
    std::vector<std::byte> out = std::vector<std::byte>(1), in = std::vector<std::byte>(1);
    sonde::sim::link right = self->link((self->rank() + 1) % self->size());
    sonde::sim::link left = self->link((self->rank() + self->size() - 1) % self->size());

    void start() {
        left.irecv(in);
        right.isend(out);
    }
    bool test() const { return false; }
    void wait() { left.wait_all(); }
    void operator()() {
        start();
        wait();
    }
};

} // namespace

TEST_CASE("overlap: the latency of messages overlaps, the send and receive overhead does not") {
    for (int ranks = 1; ranks != 5; ++ranks) {
        auto const found = on_ranks(ranks, {1us, 8us, 0us, 0us}, [](process& self) {
            return ppb(sonde::overlap(measured(self, ring{&self}, work_of(self, 3))));
        });
        CHECK(found == equal_results(ranks, all / 10 * 8)); // o + L + o, and work of that length: only L overlaps
    }
}

TEST_CASE("overlap is not clamped: below 0 both together take longer than in turn, above 1 the runs differ") {
    CHECK(ppb(sonde::overlap(10us, 10us, 25us)) == -all / 2);
    CHECK(ppb(sonde::overlap(10us, 10us, 8us)) == all / 10 * 12);
}

TEST_CASE("overlap is of median times: one disturbed sample does not move it") {
    sonde::overlap_records o;
    o.communication.series = of_ns({10, 10, 90});
    o.work.series = of_ns({8, 70, 8});
    o.both.series = of_ns({500, 12, 12});
    CHECK(ppb(sonde::overlap(o)) == all / 10 * 6);
}
