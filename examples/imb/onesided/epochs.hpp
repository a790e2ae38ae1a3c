// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "place.hpp"

#include <sonde/mpi/rma/epochs.hpp>

#include <utility>
#include <vector>

namespace imb {

/// MPI_Win_fence behind transfers; the one before them is the last one, or that of the constructor. Collective.
class fence_behind {
public:
    explicit fence_behind(sonde::mpi::created_window const& w) : fence_{w} { fence_.open(sonde::both_sides{}); }
    void open(auto) const {}
    void close(auto side) const { fence_.close(side); }

private:
    sonde::mpi::fence fence_;
};

namespace epochs {

/// What is timed of each row: make(place) -> sonde::Epoch. Those of passive targets lock from here to their end.
inline constexpr auto fence = [](place const& at) { return fence_behind{at.window()}; };
inline constexpr auto fences = [](place const& at) {
    return sonde::mpi::fence{at.window(), MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED};
};
inline sonde::mpi::peer target_of(place const& at) { return {at.mine().empty() ? -1 : at.mine().front().target}; }
inline constexpr auto flush = [](place const& at) { return sonde::mpi::flush{at.window(), target_of(at)}; };
inline constexpr auto flush_local = [](place const& at) { return sonde::mpi::flush_local{at.window(), target_of(at)}; };
inline constexpr auto flush_all = [](place const& at) { return sonde::mpi::flush_all{at.window()}; };
inline constexpr auto flush_local_all = [](place const& at) { return sonde::mpi::flush_local_all{at.window()}; };

/// Of two neighbours, which may be one rank.
inline constexpr auto flush_neighbours = [](place const& at) {
    sonde::mpi::peers found;
    for (auto const& l : at.mine())
        if (found.ranks.empty() || found.ranks.front() != l.target) found.ranks.push_back(l.target);
    return sonde::mpi::flush{at.window(), std::move(found)};
};

} // namespace epochs

} // namespace imb
