// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"
#include "osu/driver/plan.hpp"
#include "suite/one_sided.hpp"

namespace osu {

/// Pattern of a one-sided program.
///
///     latency          one transfer in an epoch; with active targets one there and one back
///     bandwidth        a window of transfers in an epoch
///     bidirectional    a window of transfers in both directions at once; active targets only
enum class rma_pattern : unsigned char { latency, bandwidth, bidirectional };

inline constexpr sweep_plan latency_plan{
    .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = before_each_size};
inline constexpr sweep_plan bandwidth_plan{
    .iterations = 100, .warmup = 10, .large = {20, 2}, .synchronize = before_each_size};

/// Description of a one-sided program.
struct one_sided {
    char const* name;  // osu_NAME
    char const* title; // OSU TITLE Test
    rma_operation operation;
    rma_pattern pattern = rma_pattern::latency;
    bool typed = false;                                               // -T; with -c there is a summary at the end
    bool shows_type = true;                                           // above the rows; the title shows `-d`, too
    creation window = creation::allocate;                             // default of -w
    synchronization sync = synchronization::flush;                    // default of -s
    sonde::mpi::lock_type lock = sonde::mpi::lock_type::shared;       // of -s lock
    sonde::mpi::lock_type flush_lock = sonde::mpi::lock_type::shared; // of -s flush and flush_local
    sweep_plan plan = latency_plan;
    sweep_plan plan_with_lock = plan; // of -s lock

    constexpr bool one_element() const { return moves_one_element(operation); } // whatever the size of the window
    /// True if the target accesses the origin's window, too.
    constexpr bool is_mutual(synchronization s) const {
        return pattern == rma_pattern::bidirectional || (pattern == rma_pattern::latency && !is_passive(s));
    }
};

/// The one-sided programs.
// clang-format off
inline constexpr one_sided one_sided_programs[] = {
    {.name = "put_latency", .title = "MPI_Put Latency", .operation = rma_operation::put},
    {.name = "get_latency", .title = "MPI_Get latency", .operation = rma_operation::get},
    {.name = "acc_latency", .title = "MPI_Accumulate latency", .operation = rma_operation::accumulate, .typed = true,
     .plan_with_lock = {10'000, 100, {1'000, 1'000}, before_each_size}},
    {.name = "get_acc_latency", .title = "MPI_Get_accumulate latency", .operation = rma_operation::get_accumulate,
     .shows_type = false, .window = creation::create, .sync = synchronization::lock,
     .lock = sonde::mpi::lock_type::exclusive, .flush_lock = sonde::mpi::lock_type::exclusive},
    {.name = "fop_latency", .title = "MPI_Fetch_and_op latency", .operation = rma_operation::fetch_and_op,
     .typed = true, .lock = sonde::mpi::lock_type::exclusive},
    {.name = "cas_latency", .title = "MPI_Compare_and_swap latency", .operation = rma_operation::compare_and_swap,
     .typed = true, .lock = sonde::mpi::lock_type::exclusive},
    {.name = "put_bw", .title = "MPI_Put Bandwidth", .operation = rma_operation::put,
     .pattern = rma_pattern::bandwidth, .plan = bandwidth_plan},
    {.name = "get_bw", .title = "MPI_Get Bandwidth", .operation = rma_operation::get,
     .pattern = rma_pattern::bandwidth, .plan = bandwidth_plan},
    {.name = "put_bibw", .title = "MPI_Put Bi-directional Bandwidth", .operation = rma_operation::put,
     .pattern = rma_pattern::bidirectional, .sync = synchronization::pscw, .plan = bandwidth_plan},
};
// clang-format on

} // namespace osu
