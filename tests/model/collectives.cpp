// SPDX-License-Identifier: BSL-1.0
#include <sonde/model/collectives.hpp>

#include <doctest/doctest.h>

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

TEST_CASE("what one process knows reaches p in the logarithm of p rounds, rounded up") {
    CHECK(collectives::rounds(1) == 0);
    CHECK(collectives::rounds(2) == 1);
    CHECK(collectives::rounds(5) == 3);
    CHECK(collectives::rounds(8) == 3);
    CHECK(collectives::rounds(9) == 4);
    CHECK(collectives::rounds(2147483647) == 31);
}

TEST_CASE("a barrier takes a start-up time a round") { CHECK(ns(collectives::barrier(network, 9)) == 4000); }

TEST_CASE("a short broadcast is a tree, a long one a scatter and a ring") {
    CHECK(ns(collectives::broadcast(network, 8, 80)) == 3 * 1080);
    CHECK(ns(collectives::binomial_broadcast(network, 8, 8000)) == 27000);
    CHECK(ns(collectives::broadcast(network, 8, 8000)) == 10000 + 14000);
}

TEST_CASE("all gather around a ring, and all exchange pair by pair, in a message of each other process") {
    CHECK(ns(collectives::allgather(network, 5, 300)) == 4 * 1300);
    CHECK(ns(collectives::alltoall(network, 5, 300)) == 4 * 1300);
}

TEST_CASE("a short allreduce doubles, a long one is Rabenseifner's; reducing takes its time in both") {
    CHECK(ns(collectives::allreduce(network, 8, 8, gamma_)) == 3 * 1012);
    CHECK(ns(collectives::recursive_doubling_allreduce(network, 8, 8000, gamma_)) == 39000);
    CHECK(ns(collectives::allreduce(network, 8, 8000, gamma_)) == 6000 + 14000 + 3500);
    CHECK(ns(collectives::allreduce(network, 8, 8000)) == 20000);
}

TEST_CASE("one process alone waits for nobody; fewer are refused") {
    for (auto const t : {collectives::barrier(network, 1), collectives::broadcast(network, 1, 64),
                         collectives::allgather(network, 1, 64), collectives::alltoall(network, 1, 64),
                         collectives::allreduce(network, 1, 64, gamma_)})
        CHECK(t == seconds{});
    CHECK_THROWS_AS(collectives::barrier(network, 0), std::invalid_argument);
    CHECK_THROWS_AS(collectives::broadcast(network, 0, 1), std::invalid_argument);
    CHECK_THROWS_AS(collectives::allgather(network, -1, 1), std::invalid_argument);
    CHECK_THROWS_AS(collectives::allreduce(network, 0, 1), std::invalid_argument);
}
