// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/rma/epochs.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/transfers.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

// One-sided communication (MPI 4.0, chapter 12) in both suites: the operations, and the epochs that complete them.

namespace suite {

/// One-sided operations, named like their MPI calls.
enum class rma_operation : unsigned char { put, get, accumulate, get_accumulate, fetch_and_op, compare_and_swap };

/// True if the operation reads data at the origin: every one but MPI_Get.
constexpr bool reads_origin(rma_operation op) { return op != rma_operation::get; }

/// True if the operation returns the target's previous values to the origin.
constexpr bool fetches(rma_operation op) { return op != rma_operation::put && op != rma_operation::accumulate; }

/// True if the operation combines the origin's and the target's values by an MPI_Op.
constexpr bool accumulates(rma_operation op) {
    return op == rma_operation::accumulate || op == rma_operation::get_accumulate || op == rma_operation::fetch_and_op;
}

/// True if the operation compares the target's value with one of the origin.
constexpr bool compares(rma_operation op) { return op == rma_operation::compare_and_swap; }

/// True if the operation moves one element whatever the size.
constexpr bool moves_one_element(rma_operation op) {
    return op == rma_operation::fetch_and_op || op == rma_operation::compare_and_swap;
}

/// The arguments of one-sided operations. Operations ignore the regions and the MPI_Op that they do not take.
template <sonde::mpi::Window W>
struct rma_arguments {
    sonde::mpi::section<W> window; // of the targets; the window must outlive the transfers
    sonde::mpi::peer target;       // a negative rank: no transfer
    sonde::mpi::block block;       // elements of one call
    sonde::opaque_region origin;
    sonde::opaque_region result;
    sonde::opaque_region compare;
    MPI_Op op;
};

/// The transfer of an operation: a sonde::Transfer. Each operation has its own type, so that the timed loop calls MPI
/// directly. Throws as the constructors of Sonde's transfers do.
template <rma_operation Op, sonde::mpi::Window W>
auto transfer_of(rma_arguments<W> const& a) {
    if constexpr (Op == rma_operation::put) return sonde::mpi::put{a.window, a.target, a.origin, a.block};
    else if constexpr (Op == rma_operation::get) return sonde::mpi::get{a.window, a.target, a.result, a.block};
    else if constexpr (Op == rma_operation::accumulate)
        return sonde::mpi::accumulate{a.window, a.target, a.origin, a.block, a.op};
    else if constexpr (Op == rma_operation::get_accumulate)
        return sonde::mpi::get_accumulate{a.window, a.target, a.origin, a.result, a.block, a.op};
    else if constexpr (Op == rma_operation::fetch_and_op)
        return sonde::mpi::fetch_and_op{a.window, a.target, a.origin, a.result, a.block.type, a.op};
    else return sonde::mpi::compare_and_swap{a.window, a.target, a.origin, a.compare, a.result, a.block.type};
}

/// The arguments of epochs. Epochs ignore those that they do not take.
template <sonde::mpi::Window W>
struct epoch_arguments {
    W const& window;
    sonde::mpi::peer target;   // of this rank's transfers; a negative rank: none
    sonde::mpi::peers targets; // of epochs with several targets, without repetition
    sonde::mpi::peer peer;     // of post-start-complete-wait: the other rank, as target and as origin
    sonde::mpi::lock_type lock = sonde::mpi::lock_type::shared;
};

/// Epochs: each is a function of epoch_arguments that returns a sonde::Epoch of its own type. The locks of the flushes
/// last from this call until the epoch object is destroyed.
namespace epochs {

inline constexpr auto fence = [](auto const& a) { return sonde::mpi::fence{a.window}; };
inline constexpr auto pscw = [](auto const& a) { return sonde::mpi::pscw{a.window, a.peer}; };
inline constexpr auto lock = [](auto const& a) { return sonde::mpi::lock{a.window, a.target, a.lock}; };
inline constexpr auto lock_all = [](auto const& a) { return sonde::mpi::lock_all{a.window}; };
inline constexpr auto flush = [](auto const& a) { return sonde::mpi::flush{a.window, a.target, a.lock}; };
inline constexpr auto flush_local = [](auto const& a) { return sonde::mpi::flush_local{a.window, a.target, a.lock}; };
inline constexpr auto flush_targets = [](auto const& a) { return sonde::mpi::flush{a.window, a.targets, a.lock}; };
inline constexpr auto flush_all = [](auto const& a) { return sonde::mpi::flush_all{a.window}; };
inline constexpr auto flush_local_all = [](auto const& a) { return sonde::mpi::flush_local_all{a.window}; };

} // namespace epochs

/// Exclusive lock of a rank's own window memory, for its loads and stores, until the lock is destroyed. In MPI's
/// separate memory model, only a lock makes them consistent with the accesses of other ranks.
sonde::mpi::scoped_locks lock_own_memory(sonde::mpi::Window auto const& window, int rank) {
    return {window, sonde::mpi::peer{rank}, sonde::mpi::lock_type::exclusive};
}

} // namespace suite
