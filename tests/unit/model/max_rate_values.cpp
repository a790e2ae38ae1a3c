// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"

#include <sonde/model.hpp>

#include <doctest/doctest.h>

#include <limits>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::hockney;
using sonde::model::max_rate;
using sonde::model::rate;

namespace {
constexpr max_rate node{seconds{1.5e-6}, rate{4e9}, rate{22e9}}; // saturated by 5.5 processes
}

TEST_CASE("up to saturation each process has its own rate, beyond it all share the node's rate") {
    CHECK(node.saturation() == 5.5);
    for (auto const k : {1.0, 2.0, 5.0, 5.5})
        CHECK(relative_difference(node.time(65536, k).count(), 1.5e-6 + 65536 / 4e9) < 1e-14);
    for (auto const k : {5.5, 6.0, 16.0})
        CHECK(relative_difference(node.time(65536, k).count(), 1.5e-6 + k * 65536 / 22e9) < 1e-14);
}

TEST_CASE("the bandwidth of long messages approaches k R_C, at most R_N") {
    CHECK(relative_difference(node.bandwidth(bytes{1e15}, 1).count(), 4e9) < 1e-9);
    CHECK(relative_difference(node.bandwidth(bytes{1e15}, 5).count(), 20e9) < 1e-9);
    CHECK(relative_difference(node.bandwidth(bytes{1e15}, 6).count(), 22e9) < 1e-9);
    CHECK(relative_difference(node.bandwidth(bytes{1e15}, 64).count(), 22e9) < 1e-9);
}

TEST_CASE("at n_half the node has half of its limit, for one process, for several and when saturated") {
    CHECK(node.n_half(1) == bytes{6000.0});
    CHECK(node.n_half(4) == bytes{6000.0});
    CHECK(relative_difference(node.n_half(11).count(), 3000) < 1e-14);
    for (auto const k : {1.0, 4.0, 11.0})
        CHECK(relative_difference(node.bandwidth(node.n_half(k), k).count(), node.limit(k).count() / 2) < 1e-14);
}

TEST_CASE("one process on a node without a limit is Hockney's model") {
    constexpr hockney alone{node.alpha, node.process_rate};
    for (auto const x : {0, 1, 6000, 1 << 22}) {
        CHECK(node.time(x, 1) == alone.time(x));
        CHECK(node.bandwidth(x, 1) == alone.bandwidth(x));
    }
    CHECK(node.n_half(1) == alone.n_half());
}

TEST_CASE("on a node without a limit, every number of processes is Hockney's model") {
    constexpr max_rate without_limit{node.alpha, node.process_rate, rate{sonde::model::unlimited}};
    constexpr hockney alone{node.alpha, node.process_rate};
    CHECK(without_limit.saturation() > 1e100);
    for (auto const k : {1.0, 7.0, 1024.0})
        for (auto const x : {0, 1, 6000, 1 << 22})
            CHECK(relative_difference(without_limit.time(x, k).count(), alone.time(x).count()) < 1e-14);
}
