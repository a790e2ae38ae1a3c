// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_program.hpp"
#include "osu/driver/plan.hpp"
#include "suite/collectives.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace osu {

/// Data that a message size counts: the block of each rank, the message of a root, or the vector of each rank that a
/// reduction adds up.
enum class size_of : unsigned char { block, message, vector };

/// Iterations of collectives. Ranks are synchronized before each iteration; a barrier synchronizes them by itself.
inline constexpr sweep_plan collective_plan{
    .iterations = 1'000, .warmup = 100, .large = {100, 10}, .synchronize = before_each_iteration};

/// A collective operation and its programs: osu_NAME (blocking), osu_iNAME (non-blocking), osu_NAME_persistent.
struct collective {
    char const* name;
    suite::operation operation;
    call_modes modes = call_modes::blocking | call_modes::nonblocking | call_modes::persistent;
    char const* title;
    option_set accepted; // options beside those of all collectives
    osu::size_of size_of = size_of::block;
    bool additional = false; // OMB has no such programs
    bool sized = true;
    sweep_plan plan = collective_plan;
    char const* nonblocking_title = nullptr; // null: "Non-blocking " and the title
    option_set nonblocking_lacks{};          // options that the non-blocking program does not take
    sweep_plan nonblocking_plan = collective_plan;
    bool warns_of_limit = true; // of `-M`, if it excludes sizes
};

/// Iterations and synchronization of a collective in a call mode.
constexpr sweep_plan const& plan_of(collective const& what, call_modes mode) {
    return mode == call_modes::nonblocking ? what.nonblocking_plan : what.plan;
}

inline constexpr auto message_data_options = validation_options | datatype_options;
inline constexpr auto reduction_options = validation_options | option_name::type;

inline constexpr auto without_persistent = call_modes::blocking | call_modes::nonblocking;

/// All collectives of MPI.
inline constexpr collective collectives[] = {
    {.name = "allgather",
     .operation = operation::allgather,
     .title = "Allgather",
     .accepted = message_data_options | option_name::in_place},
    {.name = "allgatherv",
     .operation = operation::allgatherv,
     .title = "Allgatherv",
     .accepted = message_data_options | option_name::in_place},
    {.name = "allreduce",
     .operation = operation::allreduce,
     .title = "Allreduce",
     .accepted = reduction_options | option_name::in_place,
     .size_of = size_of::vector},
    {.name = "alltoall",
     .operation = operation::alltoall,
     .title = "All-to-All Personalized Exchange",
     .accepted = message_data_options | option_name::in_place,
     .nonblocking_title = "Non-blocking All-to-All"},
    {.name = "alltoallv",
     .operation = operation::alltoallv,
     .title = "All-to-Allv Personalized Exchange",
     .accepted = message_data_options | option_name::in_place},
    {.name = "alltoallw",
     .operation = operation::alltoallw,
     .title = "All-to-Allw Personalized Exchange",
     .accepted = message_data_options | option_name::in_place},
    {.name = "barrier",
     .operation = operation::barrier,
     .title = "Barrier",
     .accepted = option_name::validation_warmup,
     .sized = false,
     .plan = {.iterations = 1'000, .warmup = 100, .large = {100, 10}, .synchronize = before_each_size},
     .nonblocking_lacks = option_name::validation_warmup,
     .nonblocking_plan = {.iterations = 100, .warmup = 10, .large = {100, 10}, .synchronize = before_each_size}},
    {.name = "bcast",
     .operation = operation::bcast,
     .title = "Broadcast",
     .accepted = message_data_options,
     .size_of = size_of::message,
     .nonblocking_title = "Non-Blocking Broadcast"},
    {.name = "gather",
     .operation = operation::gather,
     .title = "Gather",
     .accepted = message_data_options | option_name::in_place | option_name::root_rank},
    {.name = "gatherv",
     .operation = operation::gatherv,
     .title = "Gatherv",
     .accepted = message_data_options | option_name::in_place | option_name::root_rank,
     .nonblocking_plan = {.iterations = 1'000, .warmup = 10, .large = {100, 10}, .synchronize = before_each_iteration}},
    {.name = "reduce",
     .operation = operation::reduce,
     .title = "Reduce",
     .accepted = reduction_options | option_name::in_place | option_name::root_rank,
     .size_of = size_of::vector},
    {.name = "reduce_scatter",
     .operation = operation::reduce_scatter,
     .title = "Reduce_scatter",
     .accepted = reduction_options | option_name::in_place,
     .size_of = size_of::vector},
    {.name = "reduce_scatter_block",
     .operation = operation::reduce_scatter_block,
     .modes = without_persistent,
     .title = "Reduce_scatter_block",
     .accepted = reduction_options | option_name::in_place,
     .size_of = size_of::vector},
    {.name = "scan",
     .operation = operation::scan,
     .modes = without_persistent,
     .title = "Scan",
     .accepted = reduction_options | option_name::in_place,
     .size_of = size_of::vector,
     .additional = true},
    {.name = "exscan",
     .operation = operation::exscan,
     .modes = without_persistent,
     .title = "Exscan",
     .accepted = reduction_options | option_name::in_place,
     .size_of = size_of::vector,
     .additional = true},
    {.name = "scatter",
     .operation = operation::scatter,
     .title = "Scatter",
     .accepted = message_data_options | option_name::in_place | option_name::root_rank},
    {.name = "scatterv",
     .operation = operation::scatterv,
     .title = "Scatterv",
     .accepted = message_data_options | option_name::in_place | option_name::root_rank,
     .nonblocking_plan = {.iterations = 1'000, .warmup = 10, .large = {100, 10}, .synchronize = before_each_iteration}},
    {.name = "neighbor_allgather",
     .operation = operation::neighbor_allgather,
     .modes = without_persistent,
     .title = "Neighborhood Allgather",
     .accepted = message_data_options | option_name::neighborhood},
    {.name = "neighbor_allgatherv",
     .operation = operation::neighbor_allgatherv,
     .modes = without_persistent,
     .title = "Neighborhood Allgatherv",
     .accepted = message_data_options | option_name::neighborhood},
    {.name = "neighbor_alltoall",
     .operation = operation::neighbor_alltoall,
     .modes = without_persistent,
     .title = "Neighborhood Alltoall",
     .accepted = message_data_options | option_name::neighborhood},
    {.name = "neighbor_alltoallv",
     .operation = operation::neighbor_alltoallv,
     .modes = without_persistent,
     .title = "Neighborhood All-to-Allv",
     .accepted = message_data_options | option_name::neighborhood,
     .nonblocking_title = "Non-blocking Neighborhood Alltoallv"},
    {.name = "neighbor_alltoallw",
     .operation = operation::neighbor_alltoallw,
     .modes = without_persistent,
     .title = "All-to-Allw Personalized Exchange",
     .accepted = message_data_options | option_name::neighborhood,
     .nonblocking_title = "Non-blocking Neighborhood Alltoallw"}};

} // namespace osu
