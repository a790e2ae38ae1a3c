// SPDX-License-Identifier: BSL-1.0
#include "benchmarks.hpp"

#include "grid.hpp"
#include "schedules.hpp"
#include "work.hpp"

#include <sonde/pattern.hpp>

namespace imb::p2p {

namespace {

bool even(int ranks) { return ranks % 2 == 0; }
bool several(int ranks) { return ranks > 1; }
std::string no_layout(int) { return {}; }
std::string plane(int ranks) { return " (" + plane_of(ranks).text() + ")"; }
std::string space(int ranks) { return " (" + space_of(ranks).text() + ")"; }

pong pongs(int rank, int ranks) { return {sonde::pair_of(rank, ranks / 2)}; }
ping pings(int rank, int ranks) { return {(rank + ranks / 2) % ranks}; }
unirandom one_way(int rank, int ranks) { return {rank, ranks}; }
birandom both_ways(int rank, int ranks) { return {rank, ranks}; }
corandom shuffled(int rank, int ranks) { return {rank, drawn_ring{ranks}}; }
stencil in_plane(int rank, int ranks) { return {plane_of(ranks).neighbours(rank)}; }
stencil in_space(int rank, int ranks) { return {space_of(ranks).neighbours(rank)}; }
replacing in_ring(int rank, int ranks) { return {(rank + 1) % ranks, (rank + ranks - 1) % ranks}; }

/// A row's `make`, from its schedule on a rank.
template <auto Schedule>
work by(benchmark const& row, stage const& on, std::size_t bytes) {
    return work_of(row, on, bytes, Schedule(on.ranks().rank(), on.ranks().size()));
}

} // namespace

std::vector<benchmark> const& rows() {
    // clang-format off
    static std::vector<benchmark> const all{
        {.name = "PingPong", .fits = even, .layout = no_layout, .hops = 2, .make = by<pongs>},
        {.name = "PingPing", .fits = even, .layout = no_layout, .make = by<pings>},
        {.name = "Unirandom", .invalid = "invalid for", .fits = several, .layout = no_layout, .make = by<one_way>},
        {.name = "Birandom", .fits = several, .layout = no_layout, .messages = 2, .make = by<both_ways>},
        {.name = "Corandom", .fits = several, .layout = no_layout, .make = by<shuffled>},
        {.name = "Stencil2D", .fits = fits_plane, .layout = plane, .slots = 4, .messages = 4, .make = by<in_plane>},
        {.name = "Stencil3D", .fits = fits_space, .layout = space, .slots = 6, .messages = 6, .make = by<in_space>},
        {.name = "SendRecv_Replace", .processes = "process", .fits = several, .layout = no_layout, .make = by<in_ring>},
    };
    // clang-format on
    return all;
}

} // namespace imb::p2p
