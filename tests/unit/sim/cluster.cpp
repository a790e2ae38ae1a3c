// SPDX-License-Identifier: BSL-1.0
#include "cluster_support.hpp"

#include <sonde/sim/rma.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

template <class F>
void two_nodes(F f) {
    sonde::sim::world{sonde::sim::block_distribution(2, 2, byte_a_ns(16, 4ns))}.run(f);
}

void receive_from(process& self, int from) {
    std::vector<std::byte> content(1);
    self.link(from).recv(content);
}

} // namespace

TEST_CASE("cluster: ranks that all wait for messages that no rank sends throw deadlock") {
    using sonde::sim::deadlock;
    CHECK_THROWS_AS(two_nodes([](process& self) { receive_from(self, (self.rank() + 2) % 4); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) { receive_from(self, (self.rank() + 1) % 4); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) {
                        if (self.rank() == 3) receive_from(self, 0);
                    }),
                    deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) {
                        if (self.rank() != 3) self.group().barrier();
                    }),
                    deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) {
                        if (self.rank() == 3) receive_from(self, 0);
                        else self.group().barrier();
                    }),
                    deadlock);
}

TEST_CASE("invalid links and nodes are refused, and so is a window on a cluster") {
    using sonde::sim::world;
    auto const rate = sonde::model::rate{1e9};
    CHECK_THROWS_AS((world{{{0, 1}, {0, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, 1}, {16, sonde::model::rate{}, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, 1}, {16, rate, -1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, -1}, {16, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS(two_nodes([](process& self) { sonde::sim::window{self, {}}; }), std::invalid_argument);
}
