// SPDX-License-Identifier: BSL-1.0
#include "imb/mpi1/collectives.hpp"

#include "imb/driver/contents.hpp"

#include <algorithm>
#include <iterator>

namespace imb {

namespace {

// Bytes of the buffers of one repetition.
lengths nothing(std::size_t, std::size_t) { return {0, 0}; }
lengths one_to_one(std::size_t s, std::size_t) { return {s, s}; }
lengths all_to_one(std::size_t s, std::size_t ranks) { return {ranks * s, s}; }
lengths one_to_all(std::size_t s, std::size_t ranks) { return {s, ranks * s}; }
lengths all_to_all(std::size_t s, std::size_t ranks) { return {ranks * s, ranks * s}; }

using suite::operation;

/// All collectives, in the order of IMB-MPI1.
constexpr collective collectives[] = {
    {.name = "Allreduce", .operation = operation::allreduce, .later = 12, .needs = one_to_one, .reduces = true},
    {.name = "Reduce",
     .operation = operation::reduce,
     .later = 10,
     .needs = one_to_one,
     .reduces = true,
     .rooted = true},
    {.name = "Reduce_scatter",
     .operation = operation::reduce_scatter,
     .later = 11,
     .needs = all_to_one,
     .reduces = true},
    {.name = "Reduce_scatter_block",
     .operation = operation::reduce_scatter_block,
     .modes = call_modes::blocking,
     .later = 0,
     .needs = all_to_one,
     .reduces = true},
    {.name = "Allgather",
     .operation = operation::allgather,
     .later = 2,
     .needs = one_to_all,
     .persistent_by_default = false},
    {.name = "Allgatherv", .operation = operation::allgatherv, .later = 3, .needs = one_to_all},
    {.name = "Gather", .operation = operation::gather, .later = 4, .needs = one_to_all, .rooted = true},
    {.name = "Gatherv", .operation = operation::gatherv, .later = 5, .needs = one_to_all, .rooted = true},
    {.name = "Scatter", .operation = operation::scatter, .later = 6, .needs = all_to_one, .rooted = true},
    {.name = "Scatterv", .operation = operation::scatterv, .later = 7, .needs = all_to_one, .rooted = true},
    {.name = "Alltoall", .operation = operation::alltoall, .later = 8, .needs = all_to_all},
    {.name = "Alltoallv", .operation = operation::alltoallv, .later = 9, .needs = all_to_all},
    {.name = "Bcast", .operation = operation::bcast, .later = 1, .needs = one_to_one, .rooted = true},
    {.name = "Barrier", .operation = operation::barrier, .later = 13, .needs = nothing}};

/// True if each position in the later lists, from 1 on, is that of one row.
consteval bool later_positions_are_unique() {
    std::size_t rows = 0;
    for (auto const& of : collectives) rows += of.later != 0 ? 1 : 0;
    for (int position = 1; position <= static_cast<int>(rows); ++position)
        if (std::count_if(std::begin(collectives), std::end(collectives),
                          [position](collective const& of) { return of.later == position; }) != 1)
            return false;
    return true;
}
static_assert(later_positions_are_unique());

} // namespace

recipe recipe_of(setting const& s) {
    auto const root = s.options.root_shift && s.test.rooted ? sonde::root_rank::rotating() : sonde::root_rank{0};
    return {{.ranks = s.group, .each = s.block_of(s.bytes), .root = root, .sum = s.sum}};
}

benchmark row_of(collective const& of) {
    return {.name = of.name,
            .kind = of.is_barrier() ? family::synchronization : family::collective,
            .shows = of.is_barrier() ? columns::sync : columns::range,
            .make = {},
            .needs = of.needs,
            .reduces = of.reduces,
            .rooted = of.rooted};
}

std::vector<benchmark> rows_of(call_modes mode, std::function<benchmark(collective const&)> const& row) {
    std::vector<collective const*> all;
    for (auto const& of : collectives)
        if (contains(of.modes, mode)) all.push_back(&of);
    if (mode != call_modes::blocking)
        std::sort(all.begin(), all.end(), [](auto const* a, auto const* b) { return a->later < b->later; });
    std::vector<benchmark> rows;
    for (auto const* const of : all) rows.push_back(row(*of));
    return rows;
}

plan plan_of(collective const& of, setting const& s, std::size_t n) {
    return (of.is_barrier() ? s.timed_loop(n) : s.timed_calls(n)).keep({.rank_means = true});
}

double deviation_of(collective const& of, setting& s, std::function<void()> const& call) {
    auto const args = recipe_of(s);
    auto const ranks = args.size();
    auto const moved = [&](std::size_t round) {
        auto const root = args.root.rotates ? static_cast<int>(round % ranks) : 0;
        return suite::with_operation(of.operation, args,
                                     [&](auto const& op) { return data_movement_of(op, root, s.group.rank()); });
    };
    auto const rounds = std::max<std::size_t>(3, args.root.rotates ? ranks : 0);
    return largest_deviation(s, {s.send.bytes(), s.receive.bytes()}, call, moved, rounds);
}

} // namespace imb
