// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../link_conformance.hpp"
#include "connected.hpp"

#include <utility>

using namespace sonde;

TEST_CASE("round trips over links conform") {
    ranks::connected c;
    conformance::check_round_trips(c.all, [&](int peer) { return oneccl::link{c.comm, peer}; });
}

TEST_CASE("windows over links conform") {
    ranks::connected c;
    auto const make = [&](int peer) { return oneccl::link{c.comm, peer}; };
    auto const token = [&](auto& t) { return std::pair{make(t.at.peer), t.out.first(1)}; };
    conformance::check_windows(c.all, make, token);
}
