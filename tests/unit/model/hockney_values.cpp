// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"

#include <sonde/model.hpp>

#include <doctest/doctest.h>

using sonde::seconds;
using namespace sonde::model;

namespace {

hockney const pair_of_hosts{seconds{1.5e-6}, rate{10e9}};
piecewise_hockney const protocols{{{8, {seconds{1e-6}, rate{1e9}}}, {1024, {seconds{5e-6}, rate{10e9}}}}};

} // namespace

TEST_CASE("a message of n_half bytes takes twice the start-up time, at half the bandwidth") {
    CHECK(relative_difference(pair_of_hosts.n_half().count(), 15000) < 1e-15);
    CHECK(relative_difference(pair_of_hosts.time(pair_of_hosts.n_half()).count(), 3e-6) < 1e-15);
    CHECK(relative_difference(pair_of_hosts.bandwidth(pair_of_hosts.n_half()).count(), 5e9) < 1e-15);
}

TEST_CASE("a message of 0 bytes takes the start-up time") {
    CHECK(pair_of_hosts.time(0) == seconds{1.5e-6});
    CHECK(pair_of_hosts.bandwidth(0).count() == 0);
}

TEST_CASE("a segment begins with its first size; sizes below all segments belong to the first") {
    CHECK(protocols.time(1000) == protocols.segments[0].model.time(1000));
    CHECK(protocols.time(1024) == protocols.segments[1].model.time(1024));
    CHECK(protocols.time(1 << 20) == protocols.segments[1].model.time(1 << 20));
    CHECK(protocols.time(0) == seconds{1e-6});
    CHECK(protocols.bandwidth(1024) == protocols.segments[1].model.bandwidth(1024));
}
