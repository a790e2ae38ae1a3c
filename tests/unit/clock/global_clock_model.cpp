// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace unit;

namespace {

constexpr sonde::clock_sync_options little{12, 3, 6};

struct rank_result {
    sonde::clock_model model;
    skew by;
    picoseconds then;
    std::size_t sent;
};

/// All ranks' models after their clocks were compared, with `words(rank)` as clock identifiers.
template <class Words, class Skews>
std::vector<rank_result> synchronized(int ranks, std::uint64_t seed, Words words, Skews skews,
                                      sonde::clock_sync_options effort = little, picoseconds from_below = {}) {
    return on_ranks(ranks, latency_network, [&](process& self) {
        ragged_group group{self, seed};
        auto const by = skews(self.rank());
        std::size_t sent = 0;
        rough_channel const mail{self, seed, from_below, &sent};
        sonde::global_clock clock{group, self.clock(by), mail, words(self.rank()), effort};
        return rank_result{clock.model(), by, self.now(), sent};
    });
}

/// The largest excess of an error over its bound, of all ranks, at several times up to 10 s later.
seconds worst_excess(std::vector<rank_result> const& all) {
    seconds worst{-1};
    for (auto const& one : all)
        for (auto const later : std::vector<picoseconds>{0s, 1ms, 100ms, 1s, 10s}) {
            auto const off = error_at(one.then + later, one.model, one.by, all[0].model, all[0].by);
            auto const bound = one.model.error_bound(one.model.to_global(shown(one.by, one.then + later)));
            worst = std::max(worst, std::chrono::abs(off) - bound);
        }
    return worst;
}

auto const own = [](int rank) { return std::to_string(rank); };

auto skewed(std::uint64_t seed) {
    return [seed](int rank) { return drawn_skew(seed, rank); };
}

seconds largest_bound(std::vector<rank_result> const& all, picoseconds later) {
    seconds largest{};
    for (auto const& one : all)
        largest = std::max(largest, one.model.error_bound(one.model.to_global(shown(one.by, one.then + later))));
    return largest;
}

} // namespace

TEST_CASE("64 clocks with offsets of seconds and drifts up to 1e-4 stay within the bound for 10 s") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        auto const all = synchronized(64, seed, own, skewed(seed));
        CHECK(worst_excess(all) <= seconds{});
        CHECK(largest_bound(all, 0s) < seconds{2.5e-3}); // 6 hops of at most 27 us each way; up to a second in between
    }
}

TEST_CASE("the bound grows by half a round trip for each level of the tree, not with the square of their number") {
    constexpr auto one_way = 7us;
    for (int levels = 1; levels <= 6; ++levels) {
        CAPTURE(levels);
        auto const all = on_ranks(1 << levels, latency_network, [](process& self) {
            auto group = self.group();
            auto const by = drawn_skew(5, self.rank());
            sonde::clock_sync_options const effort{100, 8, 8}; // 11 ms for each level
            sonde::global_clock clock{group, self.clock(by), sonde::sim::control_channel{self}, own(self.rank()),
                                      effort};
            return rank_result{clock.model(), by, self.now(), 0};
        });
        CHECK(worst_excess(all) <= seconds{});
        CHECK(largest_bound(all, 0s) < levels * seconds{1.5 * one_way});
    }
}

TEST_CASE("any number of clocks stays within the bound") {
    for (int const ranks : {1, 2, 3, 5, 6, 7, 13}) {
        CAPTURE(ranks);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            auto const all = synchronized(ranks, seed, own, skewed(seed));
            CHECK(all.size() == static_cast<std::size_t>(ranks));
            CHECK(worst_excess(all) <= seconds{});
        }
    }
}

TEST_CASE("drift is estimated: with steady latency 10 s later no clock is 0.1 ms off, with drifts of up to 2 ms") {
    auto const all = on_ranks(13, latency_network, [](process& self) {
        ragged_group group{self, 3};
        auto const by = drawn_skew(3, self.rank());
        sonde::global_clock clock{group, self.clock(by), sonde::sim::control_channel{self}, own(self.rank()), little};
        return rank_result{clock.model(), by, self.now(), 0};
    });
    seconds unlearned{};
    for (auto const& one : all) {
        auto const off = error_at(one.then + 10s, one.model, one.by, all[0].model, all[0].by);
        CHECK(std::chrono::abs(off) < seconds{1e-4});
        unlearned = std::max(unlearned, std::chrono::abs(seconds{10 * (one.by.drift - all[0].by.drift)}));
    }
    CHECK(unlearned > seconds{1e-3});
}

TEST_CASE("a latency ten times as long one way as the other leaves clocks within the bound, and off by much of it") {
    auto const all = synchronized(5, 1, own, skewed(1), little, 200us);
    CHECK(worst_excess(all) <= seconds{});
    auto const off = error_at(all[1].then, all[1].model, all[1].by, all[0].model, all[0].by);
    CHECK(std::chrono::abs(off) > all[1].model.error / 2);
}

TEST_CASE("ranks of the same clock identifier get the model of the first of them, in one message") {
    auto const node = [](int rank) { return std::to_string(rank / 4); };
    auto const all = synchronized(22, 2, node, [](int rank) { return drawn_skew(2, rank / 4); });
    CHECK(worst_excess(all) <= seconds{});
    for (std::size_t r = 0; r != all.size(); ++r) {
        CHECK(all[r].model == all[r / 4 * 4].model);
        if (r % 4 != 0) CHECK(all[r].sent == 0);
        else CHECK(all[r].sent > 3);
    }
}

TEST_CASE("ranks that share a clock exchange nothing, global time is that clock's, and its error bound is 0") {
    auto const all = synchronized(
        7, 1, [](int) { return "one"; }, [](int) { return drawn_skew(1, 0); });
    for (auto const& one : all) {
        CHECK(one.sent == 0);
        CHECK(one.model.to_global(seconds{12345.678}) == seconds{12345.678});
        CHECK(one.model.error_bound(seconds{1e9}) == seconds{});
    }
}

TEST_CASE("disjoint groups compare clocks at once, each with its own first rank") {
    auto const all = on_ranks(14, latency_network, [](process& self) {
        auto const color = self.rank() % 3;
        part group{self, ranks_from(color, color == 2 ? 4 : 5, 3)};
        auto const by = drawn_skew(4, self.rank());
        part_channel const mail{&group, {self, 4}};
        sonde::global_clock clock{group, self.clock(by), mail, own(self.rank()), little};
        return rank_result{clock.model(), by, self.now(), 0};
    });
    for (std::size_t color = 0; color != 3; ++color) {
        std::vector<rank_result> members;
        for (auto r = color; r < all.size(); r += 3) members.push_back(all[r]);
        CAPTURE(color);
        CHECK(worst_excess(members) <= seconds{});
        CHECK(members[0].model.slope == 0); // its clock is the reference
        CHECK(members[1].model.slope != 0);
    }
}

TEST_CASE("measure_deviation finds steady clocks within the bound, which then covers the whole time") {
    struct after {
        rank_result before, checked;
        sonde::clock_deviation found;
    };
    static constexpr picoseconds begin = 20s; // when all clocks are synchronized; the ranks measure 5 s later, together
    auto const all = on_ranks(9, latency_network, [](process& self) {
        ragged_group group{self, 5};
        auto const node = self.rank() / 2;
        auto const by = drawn_skew(5, node);
        sonde::global_clock clock{group, self.clock(by), rough_channel{self, 5}, own(node), little};
        rank_result const before{clock.model(), by, self.now(), 0};
        CHECK(self.now() < begin);
        self.work(begin + 5s - self.now());
        auto const found = clock.measure_deviation(group);
        return after{before, {clock.model(), by, self.now(), 0}, found};
    });
    std::vector<rank_result> checked;
    seconds largest_error{};
    for (std::size_t r = 0; r != all.size(); ++r) CHECK(all[r].checked.model == all[r / 2 * 2].checked.model);
    for (auto const& one : all) {
        CHECK(one.found.max == all[0].found.max);
        CHECK(one.found.error_bound == all[0].found.error_bound);
        checked.push_back(one.checked);
        CHECK(one.checked.model.slope == one.before.model.slope);
        for (auto const t : std::vector<picoseconds>{begin, begin + 2s, begin + 5s}) {
            auto const off = std::chrono::abs(
                error_at(t, one.checked.model, one.checked.by, all[0].checked.model, all[0].checked.by));
            CHECK(off <= one.checked.model.error_bound(one.checked.model.to_global(shown(one.checked.by, t))));
            CHECK(off <= one.found.error_bound);
            largest_error = std::max(largest_error, off);
        }
    }
    CHECK(worst_excess(checked) <= seconds{});
    CHECK(std::chrono::abs(all[0].found.max - largest_error) < seconds{27e-6}); // to the accuracy of an offset
    CHECK(all[0].found.error_bound < seconds{10 * 27e-6} + all[0].found.max);
}

TEST_CASE("measure_deviation finds a clock that was set to another time") {
    auto const residuals = on_ranks(3, latency_network, [](process& self) {
        struct settable {
            process* self;
            skew* by;
            picoseconds now() const { return by->reading_at(self->now()); }
        };
        auto group = self.group();
        auto by = drawn_skew(6, self.rank());
        by.drift = 0;
        sonde::global_clock clock{group, settable{&self, &by}, sonde::sim::control_channel{self}, own(self.rank()),
                                  little};
        auto const even = clock.measure_deviation(group);
        if (self.rank() == 2) by.offset += 1ms;
        return std::pair{even.max, clock.measure_deviation(group).max};
    });
    for (auto const& [even, set] : residuals) {
        CHECK(ns(even) < 10);
        CHECK(ns(set) > 1'000'000 - 10);
        CHECK(ns(set) < 1'000'000 + 10);
    }
}

TEST_CASE("0 offsets or 0 pings are refused") {
    sonde::sim::virtual_time time;
    sonde::sim::manual_clock const clock{time};
    struct nobody {
        void send(int, std::span<std::byte const>) {}
        void receive(int, std::span<std::byte>) {}
    };
    sonde::single_rank alone;
    using global = sonde::global_clock<sonde::sim::manual_clock, nobody>;
    CHECK_THROWS_AS((global{alone, clock, nobody{}, "", {0, 1, 1}}), std::invalid_argument);
    CHECK_THROWS_AS((global{alone, clock, nobody{}, "", {1, 0, 1}}), std::invalid_argument);
}

TEST_CASE("0 offsets on one rank are refused on all ranks, none of which waits for another") {
    auto const refused = on_ranks(3, {}, [](process& self) -> std::size_t {
        auto group = self.group();
        sonde::clock_sync_options const options{self.rank() == 1 ? std::size_t{0} : std::size_t{4}, 1, 1};
        using global = sonde::global_clock<sonde::sim::manual_clock, sonde::sim::control_channel>;
        auto const word = std::to_string(self.rank());
        CHECK_THROWS_AS((global{group, self.clock(), sonde::sim::control_channel{self}, word, options}),
                        std::invalid_argument);
        return 0;
    });
    CHECK(refused.size() == 3);
}
