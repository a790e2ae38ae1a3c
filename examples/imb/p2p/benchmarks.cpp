// SPDX-License-Identifier: BSL-1.0
#include "benchmarks.hpp"

#include "grid.hpp"
#include "schedules.hpp"
#include "work.hpp"

#include <sonde/patterns/pairs.hpp>

namespace imb::p2p {

namespace {

bool even(int ranks) { return ranks % 2 == 0; }
bool several(int ranks) { return ranks > 1; }
std::string no_layout(int) { return {}; }
std::string plane(int ranks) { return " (" + plane_of(ranks).text() + ")"; }
std::string space(int ranks) { return " (" + space_of(ranks).text() + ")"; }

/// A row's `make`, from its schedule on a rank.
template <class Schedule>
auto by(Schedule (*schedule)(int rank, int ranks)) {
    return [schedule](benchmark const& row, stage const& on, std::size_t bytes) {
        return work_of(row, on, bytes, schedule(on.ranks().rank(), on.ranks().size()));
    };
}

} // namespace

std::vector<benchmark> const& rows() {
    static std::vector<benchmark> const all{
        {.name = "PingPong", .fits = even, .layout = no_layout, .legs = 2, .make = by(+[](int rank, int ranks) {
                                                                               return pong{
                                                                                   sonde::pair_up(rank, ranks / 2)};
                                                                           })},
        {.name = "PingPing", .fits = even, .layout = no_layout, .make = by(+[](int rank, int ranks) {
                                                                    return ping{(rank + ranks / 2) % ranks};
                                                                })},
        {.name = "Unirandom",
         .invalid = "invalid for",
         .fits = several,
         .layout = no_layout,
         .make = by(+[](int rank, int ranks) {
             return unirandom{rank, ranks};
         })},
        {.name = "Birandom", .fits = several, .layout = no_layout, .messages = 2, .make = by(+[](int rank, int ranks) {
                                                                                      return birandom{rank, ranks};
                                                                                  })},
        {.name = "Corandom", .fits = several, .layout = no_layout, .make = by(+[](int rank, int ranks) {
                                                                       return corandom{rank, drawn_ring{ranks}};
                                                                   })},
        {.name = "Stencil2D",
         .fits = fits_plane,
         .layout = plane,
         .slots = 4,
         .messages = 4,
         .make = by(+[](int rank, int ranks) { return stencil{plane_of(ranks).neighbours(rank)}; })},
        {.name = "Stencil3D",
         .fits = fits_space,
         .layout = space,
         .slots = 6,
         .messages = 6,
         .make = by(+[](int rank, int ranks) { return stencil{space_of(ranks).neighbours(rank)}; })},
        {.name = "SendRecv_Replace",
         .processes = "process",
         .fits = several,
         .layout = no_layout,
         .make = by(+[](int rank, int ranks) {
             return replacing{(rank + 1) % ranks, (rank + ranks - 1) % ranks};
         })},
    };
    return all;
}

} // namespace imb::p2p
