// SPDX-License-Identifier: BSL-1.0
#include "tools/model/measure/experiment.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <vector>

using tools::model::place_pairs;
using tools::model::rank_pair;

namespace {

using pairs = std::vector<rank_pair>;
constexpr auto all = std::numeric_limits<std::size_t>::max();

} // namespace

TEST_CASE("on one node the first half of the ranks initiates, and the other half responds") {
    CHECK(place_pairs({0, 0}, 1).pairs == pairs{{0, 1}});
    CHECK(place_pairs({0, 0, 0, 0}, 1).pairs == pairs{{0, 1}});
    CHECK(place_pairs({0, 0, 0, 0, 0}, 2).pairs == pairs{{0, 2}, {1, 3}});
    CHECK(place_pairs({0, 0, 0, 0, 0, 0}, all).pairs == pairs{{0, 3}, {1, 4}, {2, 5}});
    CHECK(place_pairs({0, 0, 0, 0, 0, 0}, all).between_nodes == false);
}

TEST_CASE("an odd rank on one node is in no pair") {
    CHECK(place_pairs({0}, all).pairs.empty());
    CHECK(place_pairs({0, 0, 0}, all).pairs == pairs{{0, 1}});
    CHECK(place_pairs({0, 0, 0, 0, 0}, all).pairs == pairs{{0, 2}, {1, 3}});
}

TEST_CASE("pairs span two nodes if there are two, for any layout of ranks") {
    CHECK(place_pairs({0, 0, 1, 1}, 1).pairs == pairs{{0, 2}});
    CHECK(place_pairs({0, 0, 1, 1}, 2).pairs == pairs{{0, 2}, {1, 3}});
    CHECK(place_pairs({0, 1, 0, 1}, 2).pairs == pairs{{0, 1}, {2, 3}});
    CHECK(place_pairs({0, 1, 1, 0}, 2).pairs == pairs{{0, 1}, {3, 2}});
    CHECK(place_pairs({0, 1}, all).between_nodes == true);
}

TEST_CASE("among several nodes the first with the most pairs is chosen, with all initiators on rank 0's node") {
    CHECK(place_pairs({0, 0, 1, 2, 2, 3, 3}, 2).pairs == pairs{{0, 3}, {1, 4}});
    CHECK(place_pairs({0, 0, 1, 2, 2}, 1).pairs == pairs{{0, 2}});
    CHECK(place_pairs({0, 0, 0, 1, 1, 2, 2, 2}, all).pairs == pairs{{0, 5}, {1, 6}, {2, 7}});
}

TEST_CASE("ranks that cannot be paired across nodes are not paired within one") {
    CHECK(place_pairs({0, 1, 1, 1}, 2).pairs == pairs{{0, 1}});
    CHECK(place_pairs({0, 0, 0, 0, 1}, 2).pairs == pairs{{0, 4}});
}

TEST_CASE("a placement is described by its pairs of ranks and their nodes") {
    CHECK(text_of(place_pairs({0, 0, 0, 0}, 2)) == "ranks 0-2, 1-3 on one node");
    CHECK(text_of(place_pairs({0, 1}, 1)) == "ranks 0-1 between two nodes");
}
