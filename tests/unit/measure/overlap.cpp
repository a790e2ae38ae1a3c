// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/sim.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

using sonde::sim::nonblocking_operation;
using sonde::sim::operation_profile;
using sonde::sim::picoseconds;
using sonde::sim::progress_mode;

// Operations of 40 us.
constexpr operation_profile offloaded{progress_mode::offloaded, 4, 10us};
constexpr operation_profile in_calls{progress_mode::in_calls, 4, 10us};
constexpr operation_profile in_wait{progress_mode::in_wait, 4, 10us};

/// Fractions are compared in whole billionths.
constexpr long long all = 1'000'000'000;
long long ppb(double share) { return std::llround(share * all); }

/// Equal results of every rank.
std::vector<long long> equal_results(int ranks, long long each) {
    return std::vector<long long>(static_cast<std::size_t>(ranks), each);
}

/// A calibrated_work in units of 10 ns of this rank's virtual time.
auto work_of(process& self, std::size_t tests) {
    auto const unit = [&self](std::size_t n) { self.work(static_cast<std::int64_t>(n) * picoseconds{10ns}); };
    return sonde::calibrated_work{tests, unit, self.clock()};
}

auto plan_of(process& self) {
    return sonde::plan<>{}
        .warmup(2)
        .until(sonde::samples{3})
        .synchronized(sonde::barrier_each{})
        .timed_by(self.clock())
        .keep({.rank_means = true});
}

template <class S, class W, class Target = sonde::median_duration>
sonde::overlap_records measured(process& self, S split, W&& work,
                                sonde::overlap_timing what = sonde::overlap_timing::whole, Target target = {}) {
    auto group = self.group();
    return sonde::measure_overlap(group, plan_of(self), split, work, {"split", {}}, what, target);
}

/// The overlap of an operation with work of this length and number of tests, the same on every rank; -1 if ranks
/// differ.
long long overlap_ppb(int ranks, operation_profile c, std::size_t tests, picoseconds length) {
    auto const found = on_ranks(ranks, {}, [&](process& self) {
        // Half a unit more, so that rounding does not remove the last one.
        auto const target = [&](sonde::record const&, int) { return sonde::seconds{length + 5ns}; };
        return ppb(sonde::overlap(measured(self, nonblocking_operation{self, c}, work_of(self, tests),
                                           sonde::overlap_timing::whole, target)));
    });
    return found == equal_results(ranks, found.front()) ? found.front() : -1;
}

} // namespace

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

namespace {

/// An offloaded operation that takes 10 us more on each next rank.
nonblocking_operation longer_by_rank(process& self) {
    return {self, {progress_mode::offloaded, 1, 10us * (self.rank() + 1)}};
}

std::vector<double> times_of(sonde::record const& r) {
    std::vector<double> times{r.over_ranks.min.count(), r.over_ranks.mean.count(), r.over_ranks.max.count()};
    for (auto const t : r.series) times.push_back(t.count());
    for (auto const t : r.rank_means) times.push_back(t.count());
    return times;
}

/// Work that notes its requested duration.
struct recorded_work {
    process* self;
    sonde::seconds requested{};
    int calls = 0;

    void set_duration(sonde::seconds target) {
        requested = target;
        ++calls;
    }
    void operator()() const { self->work(5us); }
};

} // namespace

TEST_CASE("measure_overlap: the work's duration is set once, the same on all ranks, to the slowest rank's operation") {
    auto const requested = on_ranks(4, {}, [](process& self) {
        recorded_work work{&self};
        measured(self, longer_by_rank(self), work);
        CHECK(work.calls == 1);
        return ns(work.requested);
    });
    CHECK(requested == equal_results(4, 40'000));
}

TEST_CASE("measure_overlap: a function of record and rank sets the work's duration, which may differ between ranks") {
    auto const own_mean = [](sonde::record const& r, int rank) { return r.rank_means[static_cast<std::size_t>(rank)]; };
    auto const requested = on_ranks(3, {}, [&](process& self) {
        recorded_work work{&self};
        measured(self, longer_by_rank(self), work, sonde::overlap_timing::whole, own_mean);
        return ns(work.requested);
    });
    CHECK(requested == std::vector<long long>{10'000, 20'000, 30'000});
}

TEST_CASE("measure_overlap: the application's own work is measured unchanged, with or without tests") {
    auto const found = on_ranks(2, {}, [](process& self) {
        auto const silent = measured(self, longer_by_rank(self), [&] { self.work(5us); });
        int tests = 0;
        auto const testing = measured(self, longer_by_rank(self), [&](auto& test) {
            do {
                self.work(2us);
                ++tests;
            } while (!test());
        });
        CHECK(ns(testing.work.over_ranks.max) == 2000); // without communication the first test is true
        CHECK(ns(testing.both.over_ranks.max) == 20'000);
        CHECK(tests == (2 + 3) * (1 + 5 * (self.rank() + 1)));
        return ppb(sonde::overlap(silent));
    });
    CHECK(found == equal_results(2, all / 4)); // 5 us of 20 us, the slower rank's
}

TEST_CASE("measure_overlap: three records of the same plan, equal on every rank, each named by its part") {
    auto const all_of_them = on_ranks(3, {}, [](process& self) {
        return measured(self, longer_by_rank(self), work_of(self, 2), sonde::overlap_timing::phases);
    });
    for (auto const& o : all_of_them) {
        CHECK(sonde::overlap(o) == sonde::overlap(all_of_them.front()));
        for (auto const part :
             {&sonde::overlap_records::communication, &sonde::overlap_records::work, &sonde::overlap_records::both}) {
            CHECK((o.*part).stop.samples == 3);
            CHECK((o.*part).point.name == "split");
            CHECK(times_of(o.*part) == times_of(all_of_them.front().*part));
        }
        CHECK(o.communication.point.parameters.at(0).name == "part");
        CHECK(o.communication.point.parameters.at(0).text == "communication");
        CHECK(o.work.point.parameters.at(0).text == "work");
        CHECK(o.both.point.parameters.at(0).text == "both");
        REQUIRE(o.phases.has_value());
        CHECK(o.phases->work == all_of_them.front().phases->work);
        CHECK(o.phases->wait == all_of_them.front().phases->wait);
    }
}

TEST_CASE("measure_overlap: phases are means over ranks, add up to the iteration, and exclude the warm-up") {
    auto const found = on_ranks(4, {}, [](process& self) {
        auto const post = 1us * (self.rank() + 1); // 2.5 us, on average
        nonblocking_operation const split{self, {progress_mode::in_wait, 1, 50us, post, 500ns}};
        int iterations = 0; // two of warm-up and three samples, of work alone and of both together
        auto const slow_at_first = [&](auto& test) {
            self.work(++iterations % 5 == 1 || iterations % 5 == 2 ? 900us : 20us);
            test();
            test();
        };
        return measured(self, split, slow_at_first, sonde::overlap_timing::phases);
    });
    for (auto const& o : found) {
        REQUIRE(o.phases.has_value());
        CHECK(ns(o.phases->post) == 2500);
        CHECK(ns(o.phases->work) == 20'000);
        CHECK(ns(o.phases->test) == 1000);
        CHECK(ns(o.phases->wait) == 50'000);
        CHECK(ns(o.both.over_ranks.mean) == 2500 + 20'000 + 1000 + 50'000);
    }
}

namespace {

/// An operation on a rank whose times do not count.
struct uncounted : nonblocking_operation {
    sonde::role role() const { return role::idle; }
};

} // namespace

TEST_CASE("measure_overlap: ranks that do not count in the communication count nowhere") {
    auto const found = on_ranks(2, {}, [](process& self) {
        operation_profile const c{progress_mode::in_wait, 1, 10us * (1 + 9 * self.rank())};
        auto const work = [&] { self.work(self.rank() == 0 ? 3us : 70us); };
        if (self.rank() == 0)
            return measured(self, nonblocking_operation{self, c}, work, sonde::overlap_timing::phases);
        return measured(self, uncounted{{self, c}}, work, sonde::overlap_timing::phases);
    });
    for (auto const& o : found) {
        CHECK(ns(o.communication.over_ranks.max) == 10'000);
        CHECK(ns(o.work.over_ranks.max) == 3000);
        CHECK(ns(o.both.over_ranks.max) == 13'000);
        CHECK(ns(o.phases->work) == 3000);
        CHECK(ns(o.phases->wait) == 10'000);
    }
}

TEST_CASE("measure_overlap: no phases by default") {
    auto const found = on_ranks(1, {}, [](process& self) { return measured(self, longer_by_rank(self), [] {}); });
    CHECK_FALSE(found.front().phases.has_value());
}

TEST_CASE("measure_overlap: ranks that time other parts are refused on all ranks") {
    auto const refused = [](bool differ) {
        return on_ranks(3, {}, [&](process& self) {
            auto const odd = differ && self.rank() == 1;
            auto const what = odd ? sonde::overlap_timing::phases : sonde::overlap_timing::whole;
            try {
                measured(
                    self, longer_by_rank(self), [] {}, what);
            } catch (std::invalid_argument const&) {
                return 1;
            }
            return 0;
        });
    };
    CHECK(refused(true) == std::vector<int>{1, 1, 1});
    CHECK(refused(false) == std::vector<int>{0, 0, 0});
}
