// SPDX-License-Identifier: BSL-1.0
#include <sonde/model.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace collectives = sonde::model::collectives;
using sonde::seconds;
using sonde::model::bytes;
using sonde::model::hockney;
using sonde::model::rate;

namespace {

hockney const network{seconds{1e-6}, rate{1e9}}; // 1000 ns, and 1 ns a byte
seconds const gamma_{0.5e-9};                    // half a ns to reduce a byte

long long ns(seconds t) { return std::llround(t.count() * 1e9); }

} // namespace

TEST_CASE("a message reaches p processes in log2(p) rounds, rounded up") {
    CHECK(collectives::rounds(1) == 0);
    CHECK(collectives::rounds(2) == 1);
    CHECK(collectives::rounds(5) == 3);
    CHECK(collectives::rounds(8) == 3);
    CHECK(collectives::rounds(9) == 4);
    CHECK(collectives::rounds(2147483647) == 31);
}

TEST_CASE("a barrier takes one start-up time a round") { CHECK(ns(collectives::barrier(network, 9)) == 4000); }

TEST_CASE("a short broadcast is a tree, a long one a scatter and an allgather by doubling") {
    CHECK(ns(collectives::broadcast(network, 8, 80)) == 3 * 1080);
    CHECK(ns(collectives::binomial_broadcast(network, 8, 8000)) == 27000);
    CHECK(ns(collectives::broadcast(network, 8, 8000)) == 6000 + 14000);
}

TEST_CASE("allgather takes log2(p) rounds, and so does alltoall of short messages; long ones are exchanged pairwise") {
    CHECK(ns(collectives::allgather(network, 5, 300)) == 3000 + 4 * 300);
    CHECK(ns(collectives::alltoall(network, 5, 300)) == 3000 + 5 * 300);
    CHECK(ns(collectives::alltoall(network, 5, 3000)) == 4 * 4000);
}

TEST_CASE("lower bounds lie below each algorithm in use, for short and for long messages of 64 processes") {
    for (long long const m : {8LL, 1LL << 20}) {
        bytes const size{m};
        auto const ring = 63 * network.time(size), doubling = 6 * network.alpha + 63 * (size / network.r_inf);
        CHECK(collectives::allgather(network, 64, size) <= std::min(ring, doubling));
        auto const bruck = 6 * (network.alpha + 32 * (size / network.r_inf));
        CHECK(collectives::alltoall(network, 64, size) <= std::min(ring, bruck));
        auto const fraction = 63 / 64.0 * (size / network.r_inf);
        CHECK(collectives::broadcast(network, 64, size) <=
              std::min({6 * network.time(size), 69 * network.alpha + 2 * fraction, 12 * network.alpha + 2 * fraction}));
    }
    CHECK(ns(collectives::alltoall(network, 64, 8)) == 6 * (1000 + 32 * 8));
    CHECK(ns(collectives::alltoall(network, 64, 1 << 20)) == 63 * (1000 + (1LL << 20)));
}

namespace {

/// The largest number of blocks that a process of Bruck's alltoall sends, by moving all blocks: after the rotation a
/// block that has to go `distance` ranks up moves in the rounds of the binary digits of its distance.
long long sent_by_bruck(int p) {
    struct block {
        int at, to;
    };
    std::vector<block> blocks;
    for (int from = 0; from != p; ++from)
        for (int to = 0; to != p; ++to) blocks.push_back({from, to});
    std::vector<long long> sent(static_cast<std::size_t>(p));
    for (int step = 1; step < p; step *= 2) {
        for (auto& b : blocks) {
            auto const distance = (b.to - b.at + p) % p;
            if (distance % (2 * step) < step) continue;
            ++sent[static_cast<std::size_t>(b.at)];
            b.at = (b.at + step) % p;
        }
    }
    CHECK(std::all_of(blocks.begin(), blocks.end(), [](block const& b) { return b.at == b.to; }));
    return *std::max_element(sent.begin(), sent.end());
}

/// Rounds until p processes have a message of one: each that has it sends it to one that has not.
int rounds_of_broadcast(int p) {
    int rounds = 0;
    for (int have = 1; have < p; have = std::min(p, 2 * have)) ++rounds;
    return rounds;
}

/// The largest number of blocks that a process of Bruck's allgather sends: in each round all that it has, as far as
/// the receiver lacks them.
long long sent_by_allgather(int p) {
    long long sent = 0;
    for (int have = 1; have < p; have += std::min(have, p - have)) sent += std::min(have, p - have);
    return sent;
}

/// Blocks that the root of a binomial scatter sends: the subtree of rank 2^k has min(2^k, p - 2^k) blocks.
long long sent_by_scatter(int p) {
    long long sent = 0;
    for (int step = 1; step < p; step *= 2) sent += std::min(step, p - step);
    return sent;
}

} // namespace

TEST_CASE("lower bounds are not above the costs of the algorithms, counted message by message for 2 to 64 processes") {
    for (int p = 2; p <= 64; ++p) {
        CAPTURE(p);
        auto const steps = rounds_of_broadcast(p);
        CHECK(collectives::rounds(p) == steps);
        CHECK(collectives::bruck_blocks(p) == sent_by_bruck(p));
        for (long long const m : {1LL, 64LL, 4096LL, 1LL << 20}) {
            auto const cost = [&](int messages, double blocks, double size) {
                return messages * network.alpha + blocks * (bytes{size} / network.r_inf);
            };
            auto const whole = static_cast<double>(m), part = whole / p;
            auto const not_above = [](seconds bound, seconds algorithm) { CHECK(bound <= algorithm * (1 + 1e-12)); };
            not_above(collectives::alltoall(network, p, m), cost(steps, static_cast<double>(sent_by_bruck(p)), whole));
            not_above(collectives::alltoall(network, p, m), cost(p - 1, p - 1, whole));
            not_above(collectives::allgather(network, p, m),
                      cost(steps, static_cast<double>(sent_by_allgather(p)), whole));
            not_above(collectives::allgather(network, p, m), cost(p - 1, p - 1, whole)); // ring
            not_above(collectives::broadcast(network, p, m), cost(steps, steps, whole));
            not_above(collectives::broadcast(network, p, m),
                      cost(2 * steps, static_cast<double>(sent_by_scatter(p) + sent_by_allgather(p)), part));
            // Of another number than a power of two, some processes first join their data with a neighbor's, and get
            // the result in the end.
            auto const doubling = static_cast<int>(std::bit_width(static_cast<unsigned>(p))) - 1;
            auto const extra = p == 1 << doubling ? 0 : 1;
            auto const reduced = [&](double share) { return share * whole * gamma_; };
            not_above(collectives::allreduce(network, p, m, gamma_),
                      cost(doubling + 2 * extra, doubling + 2 * extra, whole) + reduced(doubling + extra));
            auto const halved = 1 - 1.0 / (1 << doubling);
            not_above(collectives::allreduce(network, p, m, gamma_),
                      cost(2 * doubling + 2 * extra, 2 * halved + 2 * extra, whole) + reduced(halved + extra));
        }
    }
}

TEST_CASE("a short allreduce is recursive doubling, a long one is Rabenseifner's; reductions take time in both") {
    CHECK(ns(collectives::allreduce(network, 8, 8, gamma_)) == 3 * 1012);
    CHECK(ns(collectives::recursive_doubling_allreduce(network, 8, 8000, gamma_)) == 39000);
    CHECK(ns(collectives::allreduce(network, 8, 8000, gamma_)) == 6000 + 14000 + 3500);
    CHECK(ns(collectives::allreduce(network, 8, 8000)) == 20000);
}

TEST_CASE("one process alone takes no time; fewer are refused") {
    for (auto const t : {collectives::barrier(network, 1), collectives::broadcast(network, 1, 64),
                         collectives::allgather(network, 1, 64), collectives::alltoall(network, 1, 64),
                         collectives::allreduce(network, 1, 64, gamma_)})
        CHECK(t == seconds{});
    CHECK_THROWS_AS(collectives::barrier(network, 0), std::invalid_argument);
    CHECK_THROWS_AS(collectives::broadcast(network, 0, 1), std::invalid_argument);
    CHECK_THROWS_AS(collectives::allgather(network, -1, 1), std::invalid_argument);
    CHECK_THROWS_AS(collectives::allreduce(network, 0, 1), std::invalid_argument);
}
