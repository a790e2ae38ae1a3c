// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/one_sided/accesses.hpp"
#include "suite/one_sided.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

// The one-sided benchmarks as a table, and the transfers that they name.

namespace imb {

/// A transfer of one repetition: its target, and the offsets of its data, in bytes, in a slot of the origin's memory
/// and in a slot of the target's window. A slot has the data of one repetition.
struct transfer {
    int target;
    std::size_t at_origin = 0;
    std::size_t at_target = 0;
};

/// The transfers of a rank in a repetition, in order, with messages of `bytes` bytes. Every rank can compute those of
/// all ranks.
using transfers_of_rank = std::vector<transfer> (*)(int rank, int ranks, std::size_t bytes);

namespace transfers {

inline std::vector<transfer> first_to_second(int rank, int, std::size_t) {
    return rank == 0 ? std::vector<transfer>{{1}} : std::vector<transfer>{};
}
inline std::vector<transfer> second_to_first(int rank, int, std::size_t) {
    return rank == 1 ? std::vector<transfer>{{0}} : std::vector<transfer>{};
}
inline std::vector<transfer> each_to_other(int rank, int, std::size_t) { return {{1 - rank}}; }
inline std::vector<transfer> all_to_first(int, int, std::size_t) { return {{0}}; }

/// One message to all other ranks, in ring order from the right neighbor on.
inline std::vector<transfer> to_all_others(int rank, int ranks, std::size_t) {
    std::vector<transfer> all;
    for (int d = 1; d < ranks; ++d) all.push_back({(rank + d) % ranks});
    return all;
}
/// Results side by side: MPI allows no two gets that write the same memory.
inline std::vector<transfer> from_all_others(int rank, int ranks, std::size_t bytes) {
    auto all = to_all_others(rank, ranks, bytes);
    for (std::size_t k = 0; k != all.size(); ++k) all[k].at_origin = k * bytes;
    return all;
}
inline std::vector<transfer> first_to_all_others(int rank, int ranks, std::size_t bytes) {
    return rank == 0 ? to_all_others(rank, ranks, bytes) : std::vector<transfer>{};
}
inline std::vector<transfer> first_from_all_others(int rank, int ranks, std::size_t bytes) {
    return rank == 0 ? from_all_others(rank, ranks, bytes) : std::vector<transfer>{};
}

/// Puts to both neighbors: the first half of the memory to the left one, the second half to the right one.
inline std::vector<transfer> left_and_right(int rank, int ranks, std::size_t bytes) {
    return {{(rank + ranks - 1) % ranks}, {(rank + 1) % ranks, bytes, bytes}};
}
/// Gets from both neighbors, the right one first.
inline std::vector<transfer> right_and_left(int rank, int ranks, std::size_t bytes) {
    return {{(rank + 1) % ranks}, {(rank + ranks - 1) % ranks, bytes, bytes}};
}

} // namespace transfers

using suite::rma_operation;

/// Epochs by which benchmarks complete their transfers.
enum class rma_epoch : unsigned char {
    closing_fence, // MPI_Win_fence after the transfers; the one before them is the previous one
    fence_pair,    // MPI_Win_fence before and after the transfers
    flush,         // of the only target
    flush_local,
    flush_targets, // of each target
    flush_all,
    flush_local_all
};

/// True for epochs of several transfers of a rank in a repetition: with all other ranks, or with both neighbors.
constexpr bool of_several(rma_epoch e) {
    return e == rma_epoch::flush_targets || e == rma_epoch::flush_all || e == rma_epoch::flush_local_all;
}

/// Memory of gets from several ranks, which lie side by side.
inline lengths message_of_each(std::size_t s, std::size_t ranks) {
    return {s, std::max<std::size_t>(1, ranks - 1) * s};
}

/// Description of a one-sided benchmark.
struct one_sided {
    char const* name;
    rma_operation operation;
    rma_epoch epoch;
    transfers_of_rank transfers;
    family kind = family::single_transfer;
    lengths (*needs)(std::size_t s, std::size_t ranks) = buffers_for<1, 1>;
    bool all_measure = false; // the times of all ranks count, otherwise those of rank 0
    bool timed_calls = false; // non-aggregate mode reads the clock around each repetition
    bool reduces = false;     // sizes are multiples of the reduction type
    bool by_default = true;
    std::optional<completion> completes{}; // of a benchmark with a single mode; none: it has two, one for each
};

// clang-format off
/// IMB-EXT, apart from Window. The times of all ranks count, because all wait in the fences.
inline constexpr one_sided ext_rows[] = {
    {.name = "Unidir_Get", .operation = rma_operation::get, .epoch = rma_epoch::closing_fence,
     .transfers = transfers::second_to_first, .all_measure = true},
    {.name = "Unidir_Put", .operation = rma_operation::put, .epoch = rma_epoch::closing_fence,
     .transfers = transfers::first_to_second, .all_measure = true},
    {.name = "Bidir_Get", .operation = rma_operation::get, .epoch = rma_epoch::closing_fence,
     .transfers = transfers::each_to_other, .all_measure = true},
    {.name = "Bidir_Put", .operation = rma_operation::put, .epoch = rma_epoch::closing_fence,
     .transfers = transfers::each_to_other, .all_measure = true},
    {.name = "Accumulate", .operation = rma_operation::accumulate, .epoch = rma_epoch::fence_pair,
     .transfers = transfers::all_to_first, .kind = family::collective, .all_measure = true, .timed_calls = true,
     .reduces = true},
};

/// IMB-RMA, in the order of IMB's list, apart from Truly_passive_put.
inline constexpr one_sided rma_rows[] = {
    {.name = "Unidir_put", .operation = rma_operation::put, .epoch = rma_epoch::flush,
     .transfers = transfers::first_to_second},
    {.name = "Bidir_put", .operation = rma_operation::put, .epoch = rma_epoch::flush,
     .transfers = transfers::each_to_other, .all_measure = true},
    {.name = "Unidir_get", .operation = rma_operation::get, .epoch = rma_epoch::flush,
     .transfers = transfers::first_to_second},
    {.name = "Bidir_get", .operation = rma_operation::get, .epoch = rma_epoch::flush,
     .transfers = transfers::each_to_other, .all_measure = true},
    {.name = "Put_local", .operation = rma_operation::put, .epoch = rma_epoch::flush_local,
     .transfers = transfers::first_to_second},
    {.name = "Get_local", .operation = rma_operation::get, .epoch = rma_epoch::flush_local,
     .transfers = transfers::first_to_second, .by_default = false},
    {.name = "Put_all_local", .operation = rma_operation::put, .epoch = rma_epoch::flush_local_all,
     .transfers = transfers::first_to_all_others, .kind = family::passive, .completes = completion::end_of_sample},
    {.name = "Get_all_local", .operation = rma_operation::get, .epoch = rma_epoch::flush_local_all,
     .transfers = transfers::first_from_all_others, .kind = family::passive, .needs = message_of_each,
     .by_default = false, .completes = completion::end_of_sample},
    {.name = "One_put_all", .operation = rma_operation::put, .epoch = rma_epoch::flush_all,
     .transfers = transfers::first_to_all_others, .kind = family::passive, .completes = completion::end_of_sample},
    {.name = "All_put_all", .operation = rma_operation::put, .epoch = rma_epoch::flush_all,
     .transfers = transfers::to_all_others, .kind = family::collective, .all_measure = true,
     .completes = completion::end_of_sample},
    {.name = "One_get_all", .operation = rma_operation::get, .epoch = rma_epoch::flush_all,
     .transfers = transfers::first_from_all_others, .kind = family::passive, .needs = message_of_each,
     .completes = completion::end_of_sample},
    {.name = "All_get_all", .operation = rma_operation::get, .epoch = rma_epoch::flush_all,
     .transfers = transfers::from_all_others, .kind = family::collective, .needs = message_of_each,
     .all_measure = true, .completes = completion::end_of_sample},
    {.name = "Exchange_put", .operation = rma_operation::put, .epoch = rma_epoch::flush_targets,
     .transfers = transfers::left_and_right, .kind = family::collective, .needs = buffers_for<2, 2>, .all_measure = true,
     .completes = completion::each_repetition},
    {.name = "Exchange_get", .operation = rma_operation::get, .epoch = rma_epoch::flush_targets,
     .transfers = transfers::right_and_left, .kind = family::collective, .needs = buffers_for<2, 2>, .all_measure = true,
     .completes = completion::each_repetition},
    {.name = "Accumulate", .operation = rma_operation::accumulate, .epoch = rma_epoch::flush,
     .transfers = transfers::first_to_second, .reduces = true},
    {.name = "Get_accumulate", .operation = rma_operation::get_accumulate, .epoch = rma_epoch::flush,
     .transfers = transfers::first_to_second, .reduces = true},
    {.name = "Fetch_and_op", .operation = rma_operation::fetch_and_op, .epoch = rma_epoch::flush,
     .transfers = transfers::first_to_second, .kind = family::single_element, .reduces = true},
    {.name = "Compare_and_swap", .operation = rma_operation::compare_and_swap, .epoch = rma_epoch::flush,
     .transfers = transfers::first_to_second, .kind = family::single_element, .needs = buffers_for<1, 3>,
     .reduces = true},
};
// clang-format on

} // namespace imb
