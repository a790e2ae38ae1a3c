// SPDX-License-Identifier: BSL-1.0
#include "cluster_support.hpp"

#include <sonde/model.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

// Two pairs of ping-pongs between two nodes, chunk by chunk, take the multi-mode model's time: (4') with the latency
// counted once for each hop, to the picosecond.

using namespace unit;
namespace model = sonde::model;

namespace {

picoseconds said(shared_link l, ping_pongs p) {
    model::multi_ping_pong const m{model::bytes{l.chunk}, l.rate, sonde::seconds{l.latency}};
    return picoseconds{std::llround(m.time(model::bytes{p.bytes}, p.repetitions).count() * 1e12)};
}

/// Bandwidth of two pairs after their start.
double bandwidth(std::size_t bytes, shared_link l, picoseconds late = {}) {
    ping_pongs const p{2, bytes, 4, late};
    return 4 * 4 * static_cast<double>(bytes) / sonde::seconds{more_of(p, l)}.count();
}

bool equal(double a, double b) { return std::abs(a / b - 1) < 1e-12; } // quotients of whole numbers

} // namespace

TEST_CASE("cluster: two pairs of ping-pongs take the multi-mode model's time, in rows of its reference table") {
    // A 1024th of the bytes at a 1024th of the rate: the same times, and less to copy. At 1.6 GB/s times are whole
    // picoseconds.
    for (double const B_r : {1.6e9, 1.5e9})
        for (std::size_t bytes = 65536; bytes <= 8'388'608; bytes *= 2) {
            shared_link const link{524'288 / 1024, model::rate{B_r / 1024}, 3us};
            ping_pongs const p{2, bytes / 1024, static_cast<int>(model::imb_repetitions(model::bytes{bytes}))};
            auto const chunks = 4 * static_cast<std::size_t>(p.repetitions) * std::max<std::size_t>(1, bytes / 524'288);
            auto const rounded = picoseconds{B_r == 1.6e9 ? 0 : chunks / 2}; // half a picosecond each
            CHECK(std::chrono::abs(time_of(p, link) - said(link, p)) <= rounded);
        }
}

TEST_CASE("cluster: two full-size round trips take the model's time, to the nanosecond") {
    shared_link const link{524'288, model::rate{1.5e9}, 3us};
    for (std::size_t const bytes : {131'072u, 524'288u, 1'048'576u})
        CHECK(ns(time_of({2, bytes, 1}, link)) == ns(said(link, {2, bytes, 1})));
}

TEST_CASE("cluster: small examples separate the published form from the time line's form") {
    CHECK(time_of({2, 8, 5}, byte_a_ns(16, 4ns)) == 128ns);
    CHECK(time_of({2, 16, 5}, byte_a_ns(16, 1ns)) == 186ns);
    CHECK(time_of({2, 64, 1}, byte_a_ns(16, 4ns)) == 248ns);
    CHECK(time_of({2, 64, 5}, byte_a_ns(16, 16ns)) == 1296ns);
    CHECK(time_of({2, 256, 5}, byte_a_ns(16, 1ns)) == 4986ns);
}

TEST_CASE("cluster: latencies below, equal to and above a chunk's time give the model's times and overlap") {
    for (auto const latency : {0ns, 1ns, 4ns, 15ns, 16ns, 17ns, 40ns, 1000ns})
        for (std::size_t const bytes : {1u, 5u, 16u, 32u, 160u})
            for (int const n : {1, 2, 7}) {
                auto const link = byte_a_ns(16, latency);
                auto const found = outcome_of({2, bytes, n}, link);
                CHECK(found.took == said(link, {2, bytes, n}));
                auto const chunk = link.transfer_time(std::min<std::size_t>(bytes, 16));
                CHECK(found.use.both == (2 * n - 1) * std::max(picoseconds{}, chunk - latency));
                CHECK(found.use.out == 2 * n * link.transfer_time(bytes));
                CHECK(found.use.in == found.use.out);
            }
}

TEST_CASE("cluster: a turn-around saves the last chunk, also if it is shorter") {
    for (std::size_t const bytes : {17u, 24u, 47u, 100u}) {
        auto const last_chunk = std::chrono::nanoseconds{bytes % 16};
        auto const leg = 2 * std::chrono::nanoseconds{bytes} + 4ns;
        CHECK(time_of({2, bytes, 6}, byte_a_ns(16, 4ns)) == 12 * leg - 11 * last_chunk);
    }
}

TEST_CASE("cluster: one pair alone uses the whole link, for any chunk") {
    for (std::size_t const chunk : {1u, 16u, 1000u})
        CHECK(time_of({1, 100, 9}, byte_a_ns(chunk, 40ns)) == 18 * (40ns + 100ns));
}

TEST_CASE(
    "cluster: bandwidth of messages up to a chunk is that of both directions, and falls to one's for longer ones") {
    constexpr double C = 64, a = 16, B_r = 1e9;
    auto const link = byte_a_ns(64, 16ns);
    for (double const x : {1, 16, 32, 64})
        CHECK(equal(bandwidth(static_cast<std::size_t>(x), link), 2 * B_r / (1 + a / x)));
    for (double const x : {64, 128, 640, 3200})
        CHECK(equal(bandwidth(static_cast<std::size_t>(x), link), B_r * x / (x - C / 2 + a / 2)));
    CHECK(bandwidth(3200, link) > B_r);
    CHECK(bandwidth(3200, link) < 1.01 * B_r);
    CHECK(bandwidth(3200, byte_a_ns(64, 65ns)) < B_r); // C < a: from below
}

TEST_CASE("cluster: with a late start the bandwidth of long messages is between one direction's and both directions'") {
    auto const link = byte_a_ns(16, 4ns);
    auto previous = 1e9;
    for (auto const late : {0ns, 160ns, 320ns, 480ns, 624ns}) {
        auto const b = bandwidth(640, link, late);
        CHECK(b > previous);
        previous = b;
    }
    CHECK(bandwidth(640, link) < 1.02e9);
    CHECK(previous > 1.9e9);
    CHECK(previous < 2e9);
}

TEST_CASE("cluster: a record of two pairs of ping-pongs holds the model's time") {
    shared_link const link{512, model::rate{1.6e9}, 3us};
    for (std::size_t const bytes : {64u, 512u, 4096u}) {
        sonde::record found;
        sonde::sim::world{sonde::sim::block_distribution(2, 2, link)}.run([&](process& self) {
            std::vector<std::byte> out(bytes), in(bytes);
            auto group = self.group();
            auto const pair = sonde::pair_of(self.rank(), 2);
            sonde::ping_pong pattern{self.link(pair.peer), pair.role, sonde::slice{out}, sonde::slice{in}};
            auto const plan = sonde::plan<>{}.warmup(3).batch(10).until(sonde::samples{4}).timed_by(self.clock());
            auto const r = sonde::run(group, plan.synchronized(sonde::barrier_each{}), pattern);
            if (self.rank() == 0) found = r;
        });
        CHECK(found.initiators == 2);
        for (auto const t : found.series) CHECK(ns(10 * t) == ns(said(link, {2, bytes, 10})));
    }
}
