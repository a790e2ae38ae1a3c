// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/clock/global_clock.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/shmem/group.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/timeline/write.hpp>

#include <shmem.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace sonde::shmem;
using sonde::seconds;

namespace {

constexpr sonde::clock_sync_options little{4, 2, 4};

/// A clock that shows another time on each PE, and that no other PE reads.
struct own_clock {
    seconds ahead;
    seconds now() const { return sonde::since_epoch(sonde::steady_clock{}.now()) + ahead; }
};
own_clock clock_of(int rank) { return {seconds{100.0 * rank}}; }

std::vector<unsigned char> message_from(int rank, std::size_t n) {
    std::vector<unsigned char> all(n);
    for (std::size_t i = 0; i != n; ++i)
        all[i] = static_cast<unsigned char>(7 * i + static_cast<std::size_t>(rank) + n);
    return all;
}

/// Every PE sends messages to the next one, of lengths about that of a piece, before and while it receives.
void check_ring(auto const& channel, int rank, int size) {
    auto correct = true;
    for (std::size_t const n : {0UL, 1UL, 8UL, 247UL, 248UL, 249UL, 496UL, 2000UL}) {
        auto const from = (rank + size - 1) % size, to = (rank + 1) % size;
        auto const out = message_from(rank, n);
        std::vector<unsigned char> in(n);
        auto const send = [&] { channel.send(to, std::as_bytes(std::span{out})); };
        if (rank % 2 == 0) send();
        channel.receive(from, std::as_writable_bytes(std::span{in}));
        if (rank % 2 != 0) send();
        correct = correct && in == message_from(from, n);
    }
    CHECK(correct);
}

} // namespace

TEST_CASE("messages of a control channel arrive whole and in order, in all PEs and in some") {
    auto const pes = shmem_n_pes();
    for (auto const set : {active_set::all(), active_set{0, 1, (pes + 1) / 2}, active_set{pes / 2, 0, pes - pes / 2}}) {
        group ranks{set};
        auto const channel = sonde::control_channel_of(ranks);
        static_assert(sonde::ControlChannel<decltype(channel)>);
        if (ranks.rank() < 0 || ranks.size() < 2) continue;
        for (int i = 0; i != 20; ++i) check_ring(channel, ranks.rank(), ranks.size());
    }
}

TEST_CASE("a PE reads messages of several others in another order than that in which they came") {
    group ranks;
    auto const channel = sonde::control_channel_of(ranks);
    auto const rank = ranks.rank(), size = ranks.size();
    for (int round = 0; round != 20; ++round) {
        double const mine[2] = {static_cast<double>(rank), static_cast<double>(round)};
        if (rank != 0) channel.send(0, std::as_bytes(std::span{mine}));
        for (int from = size - 1; rank == 0 && from > 0; --from) {
            double got[2]{};
            channel.receive(from, std::as_writable_bytes(std::span{got}));
            CHECK((got[0] == from && got[1] == round));
        }
    }
}

TEST_CASE("the bytes and the texts of PEs are broadcast and gathered") {
    group ranks;
    auto const rank = ranks.rank(), last = ranks.size() - 1;
    auto bytes = message_from(rank, 5000);
    sonde::broadcast(ranks, bytes, last);
    CHECK(bytes == message_from(last, 5000));
    auto const texts = sonde::all_gather(ranks, std::string(static_cast<std::size_t>(rank) * 1000, 'x') + '\xff');
    REQUIRE(texts.size() == static_cast<std::size_t>(ranks.size()));
    CHECK(texts.back() == std::string(static_cast<std::size_t>(last) * 1000, 'x') + '\xff');
}

TEST_CASE("the environment of PEs has the library, and on PE 0 the hosts and the bindings") {
    group ranks;
    auto const word = "program of PE " + std::to_string(ranks.rank());
    char const* const argv[] = {word.c_str()};
    auto const e = sonde::environment_of(ranks, 1, argv);
    CHECK(e.command_line == "'program of PE 0'");
    CHECK(e.communication_library.find("OpenSHMEM 1.") == 0);
    auto const known = ranks.rank() == 0 ? static_cast<std::size_t>(ranks.size()) : 0;
    CHECK(e.bindings.size() == known);
    CHECK(e.host_of_rank.size() == known);
}

TEST_CASE("PEs with clocks of their own have one time, and PEs of one host share a clock without messages") {
    group ranks;
    sonde::global_clock own{ranks, clock_of(ranks.rank()), little};
    CHECK(own.shared() == (ranks.size() == 1));
    auto const deviation = own.measure_deviation(ranks);
    CHECK(deviation.max < seconds{1}); // their readings are 100 s apart
    CHECK(deviation.error_bound < seconds{1});
    sonde::global_clock shared{ranks};
    CHECK(shared.shared());
}

TEST_CASE("PEs start their samples at one time") {
    group ranks;
    auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{5});
    auto const clock = clock_of(ranks.rank());
    sonde::synchronized_start start{ranks, clock, little};
    auto const found = sonde::run(ranks, plan.timed_by(clock).synchronized(start), [] {});
    REQUIRE(found.global.has_value());
    CHECK(found.global->deviation < seconds{1});
}

TEST_CASE("a map of PEs has the time of a round trip of each pair, on all PEs") {
    group ranks;
    auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{6});
    auto const channel = sonde::control_channel_of(ranks);
    auto const make = [&](int peer, sonde::role who) {
        return [&channel, peer, first = who == sonde::role::initiator] { // a round trip
            std::byte token{};
            if (first) channel.send(peer, {&token, 1});
            channel.receive(peer, {&token, 1});
            if (!first) channel.send(peer, {&token, 1});
        };
    };
    auto const found = sonde::map(ranks, plan, make, {.at_once = sonde::pairs_at_once::round});
    REQUIRE(found.median.ranks == ranks.size());
    for (int from = 0; from != found.median.ranks; ++from)
        for (int to = 0; to != found.median.ranks; ++to)
            if (from != to) CHECK(found.median.at(from, to) > seconds{});
}

TEST_CASE("PE 0 writes the events of all PEs") {
    group ranks;
    auto const clock = clock_of(ranks.rank());
    sonde::global_clock global{ranks, clock, little};
    sonde::timeline timeline;
    auto& track = timeline.add_track("main");
    auto const step = track.type_index({sonde::event_kind::scope, "step"});
    for (int i = 0; i != 3; ++i) track.add(step, clock.now(), clock.now());
    std::string const path = "shmem_timeline.json";
    auto const found = sonde::write_timeline(ranks, timeline, global, path);
    CHECK(found.events == 3u * static_cast<unsigned>(ranks.size()));
    if (ranks.rank() == 0) {
        std::ifstream file{path};
        std::string const text{std::istreambuf_iterator<char>{file}, {}};
        CHECK(text.find("rank " + std::to_string(ranks.size() - 1)) != std::string::npos);
        std::remove(path.c_str());
    }
}
