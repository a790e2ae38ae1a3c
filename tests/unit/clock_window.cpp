// SPDX-License-Identifier: BSL-1.0
#include "clock_support.hpp"

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

constexpr log_gp network{1us, 5us, 0us, 0ns};
constexpr sonde::sync_effort little{12, 3, 6};
constexpr picoseconds look = 50ns; // at a clock

/// Clocks of their own, collectives of messages.
struct rank_in_window {
    process* self;
    part group;
    skew by;
    skewed_clock clock;
    sonde::clock_window<skewed_clock, rough_courier> window;

    explicit rank_in_window(process& on, int ranks, std::uint64_t seed, std::string const& word)
        : self{&on}, group{on, ranks_from(0, ranks)}, by{drawn_skew(seed, on.rank(), look)}, clock{on.clock(by)},
          window{group, clock, rough_courier{on, seed}, word, little} {}
};

/// A group in which one rank is held up before each of its collectives for so long as it is told.
struct held_up {
    part inner;
    process* self;
    picoseconds delay{};

    int rank() const { return inner.rank(); }
    int size() const { return inner.size(); }
    void barrier() { inner.barrier(); }
    void all_reduce(std::span<double> v, sonde::reduction how) {
        inner.all_reduce(v, how);
        self->work(delay);
    }
};

static_assert(sonde::Synchronizer<sonde::clock_window<skewed_clock, rough_courier>, part>);
static_assert(sonde::Courier<rough_courier>);

} // namespace

TEST_CASE("ranks start together, within the bounds of two of them and a look at the clock") {
    auto const starts = on_ranks(13, network, [](process& self) {
        rank_in_window r{self, 13, 1, std::to_string(self.rank())};
        std::vector<std::pair<picoseconds, seconds>> all;
        for (std::size_t i = 0; i != 5; ++i) {
            self.work(self.rank() * 3us);
            r.window(r.group, i);
            CHECK(r.window.valid());
            all.emplace_back(self.now(), r.window.model().bound(r.window.global(sonde::reading(r.clock))));
        }
        return all;
    });
    for (std::size_t i = 0; i != 5; ++i)
        for (auto const& one : starts)
            for (auto const& other : starts)
                CHECK(seconds{one[i].first - other[i].first} <= one[i].second + other[i].second + 2 * seconds{look});
}

TEST_CASE("the time from the first start to the last end is exact within the bounds, whoever is slow") {
    struct sample {
        picoseconds begin, end; // the truth
        seconds global_begin, global_end;
        seconds bound;
    };
    auto const all = on_ranks(13, network, [](process& self) {
        rank_in_window r{self, 13, 2, std::to_string(self.rank())};
        std::vector<sample> samples;
        for (std::size_t i = 0; i != 20; ++i) {
            r.window(r.group, i);
            sample s{};
            auto const begin = sonde::reading(r.clock);
            s.begin = self.now();
            self.work(100us + (static_cast<std::size_t>(self.rank()) == i % 13 ? 500us : 0us));
            auto const end = sonde::reading(r.clock);
            s.end = self.now();
            s.global_begin = r.window.global(begin), s.global_end = r.window.global(end);
            samples.push_back(s);
        }
        r.window.check(r.group);
        for (auto& s : samples) s.bound = r.window.bound();
        return samples;
    });
    auto const by = drawn_skew(2, 0); // time is that of the first rank's clock
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
        CHECK(sonde::detail::magnitude(global_end - global_begin - truth) <= 2 * bound);
        CHECK(truth > seconds{599e-6});
        CHECK(truth < seconds{601e-6} + 2 * bound);
    }
}

TEST_CASE("a rank that comes late to the start is late for this sample alone") {
    auto const in_time = on_ranks(5, network, [](process& self) {
        auto const by = drawn_skew(3, self.rank(), look);
        held_up group{{self, ranks_from(0, 5)}, &self};
        sonde::clock_window window{group, self.clock(by), rough_courier{self, 3}, std::to_string(self.rank()), little};
        std::vector<bool> valid;
        for (std::size_t i = 0; i != 6; ++i) {
            group.delay = i == 3 && self.rank() == 2 ? 10ms : 0ms;
            group.barrier();
            window(group, i);
            valid.push_back(window.valid());
        }
        return valid;
    });
    for (std::size_t r = 0; r != 5; ++r)
        for (std::size_t i = 0; i != 6; ++i) CHECK(in_time[r][i] == (r != 2 || i != 3));
}

TEST_CASE("the slack is equal on all ranks: half as much again after somebody was late, a tenth less after all were in "
          "time, not below the first") {
    auto const slacks = on_ranks(3, network, [](process& self) {
        held_up group{{self, ranks_from(0, 3)}, &self};
        sonde::clock_window window{group, self.clock({0s, 0, look}), rough_courier{self, 4}, "one", little};
        std::vector<double> all;
        for (std::size_t i = 0; i != 11; ++i) {
            all.push_back(window.slack().count());
            group.delay = i == 3 && self.rank() == 2 ? 10ms : 0ms;
            window(group, i);
        }
        return all;
    });
    auto const& s = slacks[0];
    CHECK(slacks[1] == s);
    CHECK(slacks[2] == s);
    CHECK(s[0] >= 3 * 7e-6); // three times, at least, a message each way
    CHECK(s[3] == s[0]);
    CHECK(s[4] == s[0]); // who was late says so with the next start
    CHECK(s[5] == 1.5 * s[0]);
    CHECK(s[6] == 0.9 * s[5]);
    CHECK(s[7] == 0.9 * s[6]);
    CHECK(s[8] > s[0]);
    CHECK(s[9] == s[0]);
    CHECK(s[10] == s[0]);
}

TEST_CASE("ranks that share a clock start together to the look, and know the time exactly") {
    auto const starts = on_ranks(6, network, [](process& self) {
        part group{self, ranks_from(0, 6)};
        std::size_t sent = 0;
        auto const clock = self.clock({77s, 0, look});
        sonde::clock_window window{group, clock, rough_courier{self, 5, 0s, &sent}, "one", little};
        window(group, 0);
        CHECK(window.valid());
        CHECK(window.bound() == seconds{});
        CHECK(window.check(group) == seconds{});
        CHECK(sent == 0);
        return self.now();
    });
    for (auto const t : starts) CHECK(t - *std::min_element(starts.begin(), starts.end()) <= look);
}

TEST_CASE("clocks that were compared a second ago are compared anew when a run begins, not between starts") {
    auto const origins = on_ranks(4, network, [](process& self) {
        rank_in_window r{self, 4, 6, std::to_string(self.rank())};
        std::vector<double> all;
        auto const next = [&](std::size_t i, picoseconds pause) {
            self.work(pause);
            if (i == 0) r.window.begin(r.group);
            r.window(r.group, i);
            all.push_back(r.window.model().origin.count());
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

TEST_CASE("a run by a clock window has the whole time of each sample, and how wrong that may be") {
    auto const records = on_ranks(5, network, [](process& self) {
        rank_in_window r{self, 5, 7, std::to_string(self.rank())};
        CHECK(r.window.bound().count() == std::numeric_limits<double>::infinity());
        auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{6}).timed_by(r.clock);
        return sonde::run(r.group, plan.synchronized(r.window), [&] { self.work(1ms * (1 + self.rank())); });
    });
    for (auto const& one : records) {
        REQUIRE(one.global.has_value());
        CHECK(one.stopped.samples == 6);
        CHECK(one.global->redone == 0);
        CHECK(one.global->bound == records[0].global->bound);
        CHECK(one.global->bound < seconds{1e-3});
        CHECK(one.global->drift < seconds{1e-4});
        for (auto const t : one.global->series)
            CHECK(sonde::detail::magnitude(t - seconds{5e-3}) <=
                  2 * one.global->bound + seconds{1e-6}); // 2e-4 of drift
    }
}
