// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "host_memory.hpp"
#include "refusal.hpp"

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report/text.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>

#include <mpi.h>

#include <functional>
#include <new>
#include <string>

namespace common {

/// The ranks of a group on this host. Collective over the group.
inline boost::mpi::communicator ranks_of_host(sonde::mpi::group const& all) {
    MPI_Comm host = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Comm_split_type(all.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
                      "MPI_Comm_split_type");
    return {host, boost::mpi::comm_take_ownership};
}

/// Throws refusal, on all ranks, if the ranks of a host need more bytes together than the host has: the kernel promises
/// such memory, and ends the run in the middle of its largest size. `bytes` are those of this rank; ranks may differ,
/// as the root of a gather does from the others. `options` are the options that the need follows from. Collective over
/// the group.
inline void require_memory(sonde::mpi::group const& world, double bytes, std::string const& options) {
    auto const ranks = ranks_of_host(world);
    auto const needed = boost::mpi::all_reduce(ranks, bytes, std::plus<double>{}), there = host_memory();
    auto const megabytes = [](double b) { return sonde::detail::fixed(1e-6 * b, 0); };
    agree(world, needed <= there ? ""
                                 : "Not enough memory [" + options + "]: " + std::to_string(ranks.size()) +
                                       " ranks of a host need " + megabytes(needed) + " MB, it has " +
                                       megabytes(there) + "; accepted: what fits");
}

/// Run `take`, which allocates memory of the host. Throws refusal, on all ranks, if one of them does not get it.
/// Collective over the group.
inline void allocate(sonde::mpi::group const& world, std::string const& options, std::function<void()> const& take) {
    auto const refuse = [&] {
        throw refusal{"Error allocating host memory [" + options + "]; accepted: sizes that fit into memory"};
    };
    together(world, [&] {
        try {
            take();
        } catch (std::bad_alloc const&) {
            refuse();
        } catch (sonde::mpi::error const&) { // of MPI_Alloc_mem
            refuse();
        }
    });
}

} // namespace common
