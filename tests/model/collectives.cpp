// SPDX-License-Identifier: BSL-1.0
#include <sonde/model/collectives.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

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
    CHECK(ns(collectives::alltoall(network, 5, 300)) == 3 * 1600);
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
