// SPDX-License-Identifier: BSL-1.0
#include "../clock/support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

constexpr sonde::clock_sync_options little{12, 3, 6};
constexpr picoseconds reading_cost = 50ns; // of a clock reading

/// Clocks of their own, collectives of messages.
struct rank_with_start {
    process* self;
    part group;
    skew by;
    manual_clock clock;
    sonde::synchronized_start<manual_clock, rough_channel> start;

    explicit rank_with_start(process& on, int ranks, std::uint64_t seed, std::string const& word)
        : self{&on}, group{on, ranks_from(0, ranks)}, by{drawn_skew(seed, on.rank(), reading_cost)},
          clock{on.clock(by)}, start{group, clock, rough_channel{on, seed}, word, little} {}
};

/// A group in which one rank is delayed after each of its reductions, or two of three, by a given time.
struct held_up {
    part inner;
    process* self;
    picoseconds delay{};
    bool often = false; // after two of three reductions, not after each
    std::size_t reductions = 0;

    int rank() const { return inner.rank(); }
    int size() const { return inner.size(); }
    void barrier() { inner.barrier(); }
    void all_reduce(std::span<double> v, sonde::reduction how) {
        inner.all_reduce(v, how);
        if (++reductions % 3 != 0 || !often) self->work(delay);
    }
};

static_assert(sonde::Synchronizer<sonde::synchronized_start<manual_clock, rough_channel>, part>);
static_assert(sonde::ControlChannel<rough_channel>);

} // namespace

TEST_CASE("ranks start together, within the bounds of two of them and a reading of the clock") {
    auto const starts = on_ranks(13, latency_network, [](process& self) {
        rank_with_start r{self, 13, 1, std::to_string(self.rank())};
        std::vector<std::pair<picoseconds, seconds>> all;
        for (std::size_t i = 0; i != 5; ++i) {
            self.work(self.rank() * 3us);
            r.start(r.group, i);
            CHECK(r.start.on_time());
            all.emplace_back(self.now(), r.start.model().error_bound(r.start.to_global(sonde::reading(r.clock))));
        }
        return all;
    });
    for (std::size_t i = 0; i != 5; ++i)
        for (auto const& one : starts)
            for (auto const& other : starts)
                CHECK(seconds{one[i].first - other[i].first} <=
                      one[i].second + other[i].second + 2 * seconds{reading_cost});
}

TEST_CASE("the time from the first start to the last end is exact within the bounds, whichever rank is slow") {
    struct sample {
        picoseconds begin, end; // virtual time
        seconds global_begin, global_end;
        seconds bound;
    };
    auto const all = on_ranks(13, latency_network, [](process& self) {
        rank_with_start r{self, 13, 2, std::to_string(self.rank())};
        std::vector<sample> samples;
        for (std::size_t i = 0; i != 20; ++i) {
            r.start(r.group, i);
            sample s{};
            auto const begin = sonde::reading(r.clock);
            s.begin = self.now();
            self.work(100us + (static_cast<std::size_t>(self.rank()) == i % 13 ? 500us : 0us));
            auto const end = sonde::reading(r.clock);
            s.end = self.now();
            s.global_begin = r.start.to_global(begin), s.global_end = r.start.to_global(end);
            samples.push_back(s);
        }
        auto const found = r.start.measure_deviation(r.group);
        for (auto& s : samples) s.bound = found.error_bound;
        return samples;
    });
    auto const by = drawn_skew(2, 0); // global time is the first rank's clock
    for (std::size_t i = 0; i != 20; ++i) {
        CAPTURE(i);
        picoseconds begin = 1h, end = 0s;
        seconds global_begin = 1h, global_end{-1e9}, bound{};
        for (auto const& one : all) {
            begin = std::min(begin, one[i].begin), end = std::max(end, one[i].end);
            global_begin = std::min(global_begin, one[i].global_begin);
            global_end = std::max(global_end, one[i].global_end);
            bound = std::max(bound, one[i].bound);
        }
        auto const truth = shown(by, end) - shown(by, begin);
        CHECK(std::chrono::abs(global_end - global_begin - truth) <= 2 * bound);
        CHECK(truth > seconds{599e-6});
        CHECK(truth < seconds{601e-6} + 2 * bound);
    }
}

TEST_CASE("a rank that is late for the start is late for this sample alone") {
    auto const in_time = on_ranks(5, latency_network, [](process& self) {
        auto const by = drawn_skew(3, self.rank(), reading_cost);
        held_up group{{self, ranks_from(0, 5)}, &self};
        sonde::synchronized_start start{group, self.clock(by), rough_channel{self, 3}, std::to_string(self.rank()),
                                        little};
        std::vector<bool> valid;
        for (std::size_t i = 0; i != 6; ++i) {
            group.delay = i == 3 && self.rank() == 2 ? 10ms : 0ms;
            group.barrier();
            start(group, i);
            valid.push_back(start.on_time());
        }
        return valid;
    });
    for (std::size_t r = 0; r != 5; ++r)
        for (std::size_t i = 0; i != 6; ++i) CHECK(in_time[r][i] == (r != 2 || i != 3));
}

TEST_CASE(
    "the slack is equal on all ranks: half longer after a late start, a tenth shorter otherwise, at least the first") {
    auto const slacks = on_ranks(3, latency_network, [](process& self) {
        held_up group{{self, ranks_from(0, 3)}, &self};
        sonde::synchronized_start start{group, self.clock({0s, 0, reading_cost}), rough_channel{self, 4}, "one",
                                        little};
        std::vector<double> all;
        for (std::size_t i = 0; i != 11; ++i) {
            all.push_back(start.slack().count());
            group.delay = i == 3 && self.rank() == 2 ? 10ms : 0ms;
            start(group, i);
        }
        return all;
    });
    auto const& s = slacks[0];
    CHECK(slacks[1] == s);
    CHECK(slacks[2] == s);
    CHECK(s[0] >= 3 * 7e-6); // three times, at least, a message each way
    CHECK(s[3] == s[0]);
    CHECK(s[4] == s[0]); // a late rank reports it with the next start
    CHECK(s[5] == 1.5 * s[0]);
    CHECK(s[6] == 0.9 * s[5]);
    CHECK(s[7] == 0.9 * s[6]);
    CHECK(s[8] > s[0]);
    CHECK(s[9] == s[0]);
    CHECK(s[10] == s[0]);
}

TEST_CASE("ranks that share a clock start at the same reading, and know the time exactly") {
    auto const starts = on_ranks(6, latency_network, [](process& self) {
        part group{self, ranks_from(0, 6)};
        std::size_t sent = 0;
        auto const clock = self.clock({77s, 0, reading_cost});
        sonde::synchronized_start start{group, clock, rough_channel{self, 5, 0s, &sent}, "one", little};
        start(group, 0);
        CHECK(start.on_time());
        auto const found = start.measure_deviation(group);
        CHECK(found.max == seconds{});
        CHECK(found.error_bound == seconds{});
        CHECK(sent == 0);
        return self.now();
    });
    for (auto const t : starts) CHECK(t - *std::min_element(starts.begin(), starts.end()) <= reading_cost);
}

TEST_CASE("clocks that were compared a second ago are compared again when a run begins, not between starts") {
    auto const origins = on_ranks(4, latency_network, [](process& self) {
        rank_with_start r{self, 4, 6, std::to_string(self.rank())};
        std::vector<double> all;
        auto const next = [&](std::size_t i, picoseconds pause) {
            self.work(pause);
            if (i == 0) r.start.synchronize(r.group);
            r.start(r.group, i);
            all.push_back(r.start.model().origin.count());
        };
        next(0, 0s);
        next(1, 2s);
        next(0, 1ms); // 2 s and more after the first
        next(0, 900ms);
        next(0, 200ms);
        return all;
    });
    for (auto const& o : origins) {
        CHECK(o[1] == o[0]);
        CHECK(o[2] - o[1] > 2);
        CHECK(o[3] == o[2]);
        CHECK(o[4] - o[3] > 1.1);
    }
}

TEST_CASE("a run with synchronized starts has the whole time of each sample and its error bound") {
    auto const records = on_ranks(5, latency_network, [](process& self) {
        rank_with_start r{self, 5, 7, std::to_string(self.rank())};
        auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{6}).timed_by(r.clock);
        return sonde::run(r.group, plan.synchronized(r.start), [&] { self.work(1ms * (1 + self.rank())); });
    });
    for (auto const& one : records) {
        REQUIRE(one.global.has_value());
        CHECK(one.stop.samples == 6);
        CHECK(one.global->late_samples == 0);
        CHECK(one.global->error_bound == records[0].global->error_bound);
        CHECK(one.global->error_bound < seconds{1e-3});
        CHECK(one.global->deviation < seconds{1e-4});
        for (auto const t : one.global->series)
            CHECK(std::chrono::abs(t - seconds{5e-3}) <= 2 * one.global->error_bound + seconds{1e-6}); // 2e-4 of drift
    }
}

TEST_CASE("runs of one plan compare the clocks again once, when a second is over, not each of them") {
    auto const sent = on_ranks(4, latency_network, [](process& self) {
        std::size_t count = 0;
        part group{self, ranks_from(0, 4)};
        auto const clock = self.clock(drawn_skew(8, self.rank(), reading_cost));
        sonde::synchronized_start start{group, clock, rough_channel{self, 8, 0s, &count}, std::to_string(self.rank()),
                                        little};
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{3}).timed_by(clock).synchronized(start);
        std::vector<double> origins; // of the model, which the comparison renews
        auto const runs = [&](picoseconds pause) {
            self.work(pause);
            for (int i = 0; i != 5; ++i) {
                static_cast<void>(sonde::run(group, plan, [&] { self.work(1ms); }));
                origins.push_back(start.model().origin.count());
            }
        };
        for (auto const pause : {0s, 2s, 2s}) runs(pause);
        return origins;
    });
    for (auto const& o : sent) {
        for (std::size_t i = 1; i != o.size(); ++i) CHECK((o[i] == o[i - 1]) == (i % 5 != 0));
        CHECK(o[5] - o[0] > 2);
        CHECK(o[10] - o[5] > 2);
    }
}

TEST_CASE("the first slack is that of a quiet machine even if most broadcasts of it are disturbed") {
    auto const slack_with = [](picoseconds delay) {
        return ns(on_ranks(3, latency_network, [delay](process& self) {
            held_up group{{self, ranks_from(0, 3)}, &self, self.rank() == 2 ? delay : 0us, true};
            return sonde::synchronized_start{group, self.clock({0s, 0, reading_cost}), rough_channel{self, 4}, "one",
                                             little}
                .slack();
        }));
    };
    CHECK(slack_with(8ms) == slack_with(0ms));
}

TEST_CASE("the slack that a run learns is that of the next run") {
    auto const slacks = on_ranks(3, latency_network, [](process& self) {
        held_up group{{self, ranks_from(0, 3)}, &self};
        sonde::synchronized_start start{group, self.clock({0s, 0, reading_cost}), rough_channel{self, 4}, "one",
                                        little};
        auto const plan = sonde::plan<>{}
                              .warmup(0)
                              .until(sonde::samples{4})
                              .synchronized(start)
                              .timed_by(self.clock({0s, 0, reading_cost}));
        std::vector<double> all{start.slack().count()};
        for (auto const delay : {60us, 0us}) {
            group.delay = self.rank() == 2 ? delay : 0us; // after each collective: late until the slack is longer
            static_cast<void>(sonde::run(group, plan, [] {}));
            all.push_back(start.slack().count());
        }
        return all;
    });
    for (auto const& s : slacks) {
        CHECK(s[1] > 1.4 * s[0]);
        CHECK(s[2] < s[1]);
        CHECK(s[2] >= s[0]);
    }
}
