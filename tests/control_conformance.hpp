// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "group_conformance.hpp"

#include <sonde/clock/global_clock.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/timeline/write.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

/// What every group with a control channel promises. Each function is collective over the group.
namespace conformance {

inline constexpr sonde::clock_sync_options few_exchanges{4, 2, 4};

/// A clock 100 s ahead of that of the rank before, which no other rank reads.
struct own_clock {
    int rank;
    sonde::seconds now() const {
        return sonde::since_epoch(sonde::steady_clock{}.now()) + sonde::seconds{100.0 * rank};
    }
};

/// Every rank sends messages to the next one, of lengths about those of a piece, before or while it receives.
template <sonde::ControlChannel C>
void check_ring(auto const& ranks, C const& channel) {
    auto const rank = ranks.rank(), size = ranks.size(), from = (rank + size - 1) % size;
    auto correct = true;
    for (int round = 0; round != 20 && size > 1; ++round)
        for (std::size_t const n : {0UL, 1UL, 8UL, 239UL, 240UL, 241UL, 247UL, 248UL, 249UL, 480UL, 496UL, 2000UL}) {
            auto const out = bytes_of(rank, n);
            std::vector<unsigned char> in(n);
            auto const send = [&] { channel.send((rank + 1) % size, std::as_bytes(std::span{out})); };
            if (rank % 2 == 0) send();
            channel.receive(from, std::as_writable_bytes(std::span{in}));
            if (rank % 2 != 0) send();
            correct = correct && in == bytes_of(from, n);
        }
    CHECK(correct);
}

/// Rank 0 reads messages of the others in another order than that in which they came.
void check_other_order(auto const& ranks, auto const& channel) {
    for (int round = 0; round != 20; ++round) {
        double const mine[] = {static_cast<double>(ranks.rank()), static_cast<double>(round)};
        if (ranks.rank() != 0) channel.send(0, std::as_bytes(std::span{mine}));
        for (int from = ranks.size() - 1; ranks.rank() == 0 && from > 0; --from) {
            double got[2]{};
            channel.receive(from, std::as_writable_bytes(std::span{got}));
            CHECK((got[0] == from && got[1] == round));
        }
    }
}

/// Ranks with clocks of their own have one time; ranks of one host share a clock without messages.
void check_clocks(auto& ranks) {
    sonde::global_clock own{ranks, own_clock{ranks.rank()}, few_exchanges};
    CHECK(own.shared() == (ranks.size() == 1));
    auto const deviation = own.measure_deviation(ranks);
    CHECK(deviation.max < sonde::seconds{1}); // the readings are 100 s apart
    CHECK(deviation.error_bound < sonde::seconds{1});
    CHECK(sonde::global_clock{ranks}.shared());
}

/// Ranks start their samples at one time.
void check_start(auto& ranks) {
    own_clock const clock{ranks.rank()};
    sonde::synchronized_start start{ranks, clock, few_exchanges};
    auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{5}).timed_by(clock).synchronized(start);
    auto const found = sonde::run(ranks, plan, [] {});
    REQUIRE(found.global.has_value());
    CHECK(found.global->deviation < sonde::seconds{1});
}

/// A map has the time of a round trip of each pair, on all ranks.
void check_map(auto& ranks) {
    auto const channel = sonde::control_channel_of(ranks);
    auto const make = [&](int peer, sonde::role who) {
        return [&channel, peer, first = who == sonde::role::initiator] { // a round trip
            std::byte token{};
            if (first) channel.send(peer, {&token, 1});
            channel.receive(peer, {&token, 1});
            if (!first) channel.send(peer, {&token, 1});
        };
    };
    auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{6});
    auto const found = sonde::map(ranks, plan, make, {.at_once = sonde::pairs_at_once::round});
    REQUIRE(found.median.ranks == ranks.size());
    for (int from = 0; from != ranks.size(); ++from)
        for (int to = 0; to != ranks.size(); ++to)
            CHECK((found.median.at(from, to) > sonde::seconds{}) == (from != to));
}

/// Rank 0 writes the events of all ranks, whose clocks are their own, and removes the file.
void check_timeline(auto& ranks, auto clock, std::string const& path) {
    sonde::global_clock global{ranks, clock, few_exchanges};
    CHECK(global.shared() == (ranks.size() == 1));
    CHECK(global.measure_deviation(ranks).max < sonde::seconds{1});
    sonde::timeline timeline;
    auto& track = timeline.add_track("main");
    auto const step = track.type_index({sonde::event_kind::scope, "step"});
    for (int i = 0; i != 3; ++i) track.add(step, sonde::reading(clock), sonde::reading(clock));
    auto const found = sonde::write_timeline(ranks, timeline, global, path);
    CHECK(found.events == 3u * static_cast<unsigned>(ranks.size()));
    if (ranks.rank() != 0) return;
    std::ifstream file{path};
    std::string const text{std::istreambuf_iterator<char>{file}, {}};
    std::remove(path.c_str());
    for (int rank = 0; rank <= ranks.size(); ++rank)
        CHECK((text.find("\"rank " + std::to_string(rank) + '"') != std::string::npos) == (rank < ranks.size()));
}

/// The environment has the command line of rank 0, and on rank 0 the hosts and the bindings of all ranks.
void check_environment(auto& ranks) {
    auto const word = "program of rank " + std::to_string(ranks.rank());
    char const* const argv[] = {word.c_str()};
    auto const e = sonde::environment_of(ranks, 1, argv);
    CHECK(e.command_line == "'program of rank 0'");
    auto const known = ranks.rank() == 0 ? static_cast<std::size_t>(ranks.size()) : 0;
    CHECK(e.bindings.size() == known);
    CHECK(e.host_of_rank.size() == known);
}

/// All of the above, with a file whose name no other test has.
void check_control(auto& ranks, std::string const& path) {
    auto const channel = sonde::control_channel_of(ranks);
    check_ring(ranks, channel);
    check_other_order(ranks, channel);
    check_clocks(ranks);
    check_start(ranks);
    check_map(ranks);
    check_timeline(ranks, own_clock{ranks.rank()}, path);
    check_environment(ranks);
    check_record(ranks);
}

} // namespace conformance
