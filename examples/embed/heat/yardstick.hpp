// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "decomposition.hpp"
#include "field.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace heat {

/// The sides in an order in which neighbours turn to each other at the same time: blocks at even places begin with the
/// side that the odd ones end with.
inline std::array<side, 4> turns(decomposition const& part) {
    auto const even = [&](std::size_t d) { return part.place()[d] % 2 == 0; };
    return {even(0) ? down : up, even(0) ? up : down, even(1) ? right : left, even(1) ? left : right};
}

/// What an exchange is held against: the same bytes with the same neighbours, one neighbour after the other, by
/// messages that lie in one piece. Sent from u and received into `spare`, both given back as they were. An exchange
/// that has all neighbours at once may do better.
template <class Plan>
sonde::record measure_yardstick(sonde::mpi::group& ranks, Plan const& plan, decomposition const& part, field& u,
                                field& spare) {
    auto const from = sonde::borrow(u.cells()), to = sonde::borrow(spare.cells());
    auto const with = [&](side s) {
        auto const who = part.neighbour(s) == MPI_PROC_NULL ? sonde::role::idle : sonde::role::initiator;
        auto const bytes = static_cast<std::size_t>(u.length(s)) * sizeof(double);
        return sonde::bidirectional{sonde::mpi::async_link{ranks, part.neighbour(s)},
                                    who,
                                    1,
                                    from.first(bytes),
                                    to.first(bytes),
                                    sonde::directions::sent};
    };
    std::vector<decltype(with(up))> pairs;
    for (auto const s : turns(part)) pairs.push_back(with(s));
    auto const size = size_of_halo(part, u);
    auto const all = [&] {
        for (auto& exchange : pairs) exchange();
    };
    return sonde::run(ranks, plan, sonde::moving({.bytes = size.bytes, .messages = size.messages}, all));
}

} // namespace heat
