// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// A global clock of all simulated ranks; sample i begins `lags[i]` later on this rank, and is late if in `late_ones`.
struct known_time {
    process* self;
    std::vector<std::chrono::nanoseconds> lags;
    std::set<std::size_t> late_ones;
    sonde::seconds off{};
    int* begun = nullptr;
    bool in_time = true;

    void operator()(auto& group, std::size_t i) {
        group.barrier();
        self->work(lags[i % lags.size()]);
        in_time = late_ones.count(i) == 0;
    }
    known_time* global_clock() { return this; }
    bool on_time() const { return in_time; }
    sonde::seconds to_global(sonde::seconds t) const { return t - sonde::seconds{1us}; } // with any epoch
    void synchronize(auto&) const {
        if (begun != nullptr) ++*begun;
    }
    sonde::clock_deviation measure_deviation(auto& group) const {
        group.barrier();
        return {off, 3ns};
    }
};

/// Rank r begins r * lag later, and works for `work`.
sonde::record measured(int ranks, std::chrono::nanoseconds lag, std::vector<std::chrono::nanoseconds> work,
                       std::size_t batch = 1, sonde::seconds off = {}) {
    auto const all = on_ranks(ranks, {}, [&](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(0).batch(batch).until(sonde::samples{3}).timed_by(self.clock());
        return sonde::run(group, plan.synchronized(known_time{&self, {lag * self.rank()}, {}, off}),
                          [&] { self.work(work[static_cast<std::size_t>(self.rank())]); });
    });
    return all.front();
}

} // namespace

TEST_CASE("by a global clock a sample lasts from the first rank's begin to the last one's end") {
    auto const r = measured(3, 100ns, {5000ns, 2000ns, 4000ns});
    REQUIRE(r.global.has_value());
    CHECK(ns(r.series) == std::vector<long long>{5000, 5000, 5000});
    CHECK(ns(r.global->series) == std::vector<long long>{5000, 5000, 5000});
    CHECK(ns(r.global->entry_skews) == std::vector<long long>{200, 200, 200});
    CHECK(ns(r.global->exit_skews) == std::vector<long long>{2900, 2900, 2900}); // 2100 to 5000
    CHECK(ns(r.global->error_bound) == 3);
    CHECK(ns(measured(3, 100ns, {2000ns, 2000ns, 5000ns}).global->series.front()) == 5200);
}

TEST_CASE("both series are of an iteration, skews of a sample") {
    auto const r = measured(2, 100ns, {100ns, 100ns}, 10);
    CHECK(ns(r.series.front()) == 100);
    CHECK(ns(r.global->series.front()) == 110);
    CHECK(ns(r.global->entry_skews.front()) == 100);
}

TEST_CASE("a record whose ranks begin more than a tenth of the operation apart is flagged") {
    CHECK_FALSE(measured(2, 100ns, {5000ns, 1000ns}).flags.skew_dominated);
    CHECK_FALSE(measured(2, 499ns, {5000ns, 4000ns}).flags.skew_dominated);
    CHECK(measured(2, 501ns, {5000ns, 4000ns}).flags.skew_dominated);
    CHECK_FALSE(measured(2, 501ns, {600ns, 500ns}, 10).flags.skew_dominated);
}

TEST_CASE(
    "a record whose clock deviated at the end is flagged: by 1 us, or 5 % of the median, and the error bound of 3 ns") {
    CHECK_FALSE(measured(2, 0ns, {50us, 50us}, 1, sonde::seconds{1002ns}).flags.clock_drift);
    CHECK(measured(2, 0ns, {50us, 50us}, 1, sonde::seconds{1004ns}).flags.clock_drift);
    CHECK_FALSE(measured(2, 0ns, {1us, 1us}, 1, sonde::seconds{52ns}).flags.clock_drift);
    CHECK(measured(2, 0ns, {1us, 1us}, 1, sonde::seconds{54ns}).flags.clock_drift);
    CHECK(ns(measured(2, 0ns, {1us, 1us}, 1, sonde::seconds{54ns}).global->deviation) == 54);
}

TEST_CASE("a sample that one rank begins too late is repeated and counted, alike on all ranks") {
    auto const all = on_ranks(3, {}, [](process& self) {
        auto group = self.group();
        int begun = 0;
        // Of the first 5 samples 1 and 3 are late; of the 2 repeated ones, the last: number 6.
        std::set<std::size_t> late = self.rank() == 1 ? std::set<std::size_t>{1, 6} : std::set<std::size_t>{};
        if (self.rank() == 2) late = {1, 3};
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{5}).timed_by(self.clock());
        auto took = 0us;
        auto const r = sonde::run(group, plan.synchronized(known_time{&self, {0ns}, late, {}, &begun}),
                                  [&] { self.work(took += 1us); });
        CHECK(begun == 1); // clocks are compared before the warm-up, and not again
        return r;
    });
    for (auto const& r : all) {
        CHECK(ns(r.series) == std::vector<long long>{1000, 3000, 5000, 6000, 8000});
        CHECK(ns(r.global->series) == ns(r.series));
        CHECK(r.global->late_samples == 3);
        CHECK(r.stop.samples == 5);
        CHECK(ns(r.over_ranks.mean) == 4600);
    }
    CHECK(all.front().slowest_counts == std::vector<std::size_t>{5, 5, 5});
}

TEST_CASE("a run in which nearly every sample begins too late throws on all ranks") {
    auto const refused = caught_on_ranks(2, [](process& self) {
        auto group = self.group();
        std::set<std::size_t> late;
        for (std::size_t i = 0; i != 100'000 && self.rank() == 1; ++i)
            if (i % 20 != 0) late.insert(i);
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{500}).timed_by(self.clock());
        (void)sonde::run(group, plan.synchronized(known_time{&self, {0ns}, late}), [&] { self.work(1us); });
    });
    for (auto const& text : refused)
        CHECK(text == "sonde::run: 9 in 10 samples begin too late; the synchronized start needs more slack");
}

TEST_CASE("a run of which half of the samples begin too late takes others for them, however many") {
    auto const all = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        std::set<std::size_t> late;
        for (std::size_t i = 1; i < 4000 && self.rank() == 1; i += 2) late.insert(i);
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{1500}).timed_by(self.clock());
        return sonde::run(group, plan.synchronized(known_time{&self, {0ns}, late}), [&] { self.work(1us); });
    });
    for (auto const& r : all) {
        CHECK(r.series.size() == 1500);
        CHECK(r.global->late_samples >= 1400);
    }
}

TEST_CASE("if all ranks are idle there are no global times") {
    auto const all = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{2}).timed_by(self.clock());
        return sonde::run(group, plan.synchronized(known_time{&self, {0ns}, {}}), working{&self, role::idle, {1us}});
    });
    CHECK(all[0].global->series.empty());
    CHECK_FALSE(all[0].flags.skew_dominated);
}

TEST_CASE_FIXTURE(one_rank, "without a global clock there are no global times") {
    CHECK_FALSE(sonde::run(group, plan(2), [] {}).global.has_value());
}
