// SPDX-License-Identifier: BSL-1.0
#include "makers.hpp"
#include "work.hpp"

#include <sonde/mpi/collectives.hpp>
#include <sonde/pattern.hpp>

namespace imb::mt {

namespace {

namespace mpi = sonde::mpi;
using arrivals = std::vector<arrival>;

arrivals nothing(hand const&) { return {}; }

} // namespace

/// The threads of a process, then one of each process with those of its number.
work barrier_of_all(instance const& on, std::size_t) {
    return work_of(
        on, 0,
        [](hand const& of) {
            auto among_ranks = mpi::blocking{mpi::barrier{of.ranks()}};
            auto const moved = among_ranks.moves();
            return sonde::moving{moved, [of, among_ranks]() mutable {
                                     of.meet_threads();
                                     among_ranks();
                                 }};
        },
        nothing);
}

work bcast(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            return mpi::blocking{mpi::bcast{of.ranks(), of.summed(), 0}, of.rank() == 0 ? of.out() : of.in()};
        },
        [](hand const& of) {
            return of.rank() == 0 ? arrivals{} : arrivals{{0, 0, 0}};
        });
}

work reduce(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            return mpi::blocking{mpi::reduce{of.ranks(), of.summed(), MPI_SUM, 0}, of.out(), of.in()};
        },
        [](hand const& of) {
            return of.rank() == 0 ? arrivals{{0, 0, of.ranks().size() - 1}} : arrivals{};
        });
}

work all_reduce(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            return mpi::blocking{mpi::allreduce{of.ranks(), of.summed(), MPI_SUM}, of.out(), of.in()};
        },
        [](hand const& of) {
            return arrivals{{0, 0, of.ranks().size() - 1}};
        });
}

} // namespace imb::mt
