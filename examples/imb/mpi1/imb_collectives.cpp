// SPDX-License-Identifier: BSL-1.0
#include "imb/mpi1/imb_collectives.hpp"

#include "imb/driver/imb_contents.hpp"
#include "imb/driver/setting.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

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

namespace {

/// Bind a collective to buffers and pass its blocking call to `use`.
void with_blocking_call(collective const& of, setting& s, bound_buffers which,
                        std::function<void(call_ref)> const& use) {
    suite::with_operation(of.operation, recipe_of(s), [&](auto const& op) {
        auto call = bind<mpi::blocking>(op, s, which);
        use(call);
    });
}

/// A blocking call in each repetition.
result measure_calls(collective const& of, setting& s, std::size_t n) {
    result found;
    with_blocking_call(of, s, bound_buffers::all,
                       [&](call_ref call) { found.pure = imb::run(s.group, plan_of(of, s, n), call, s.point()); });
    return found;
}

double blocking_defects(collective const& of, setting& s) {
    double found = 0;
    with_blocking_call(of, s, bound_buffers::first, [&](call_ref call) { found = deviation_of(of, s, call); });
    return found;
}

benchmark blocking_row(collective const& of) {
    auto row = row_of(of);
    row.make = [&of](setting& s) {
        work made{[&of, &s](std::size_t n) { return measure_calls(of, s, n); }};
        if (!of.is_barrier()) made.defects = [&of, &s] { return blocking_defects(of, s); };
        return made;
    };
    return row;
}

/// MPI_Reduce_local on the buffers of the repetitions.
class reduce_local {
public:
    reduce_local(setting const& s, sonde::opaque_rotating out, sonde::opaque_rotating in)
        : of_{s.block_of(s.bytes)}, count_{mpi::detail::int_count(of_.count)}, sum_{s.sum}, out_{out}, in_{in} {}
    void operator()() {
        mpi::check(MPI_Reduce_local(out_.next().data(), in_.next().data(), count_, of_.type, sum_), "MPI_Reduce_local");
    }

private:
    mpi::block of_;
    int count_;
    MPI_Op sum_;
    sonde::opaque_rotating out_;
    sonde::opaque_rotating in_;
};

/// The vectors in the two buffers count as contributions of ranks 0 and 1.
data_movement both_vectors(std::size_t span) {
    return {{{{0, span, sonde::all_ranks}, 0}, {{0, span, sonde::all_ranks, true}, 1}},
            {{0, span, 0, 1, sonde::all_ranks}}};
}

work make_reduce_local(setting& s) {
    auto const measure = [&s](std::size_t n) -> result {
        return {imb::run(s.group, s.timed_calls(n), reduce_local{s, s.out(s.bytes), s.in(s.bytes)}, s.point())};
    };
    auto const defects = [&s] {
        reduce_local pattern{s, s.first_out(), s.first_in()};
        return largest_deviation(
            s, {s.send.bytes(), s.receive.bytes()}, [&pattern] { pattern(); },
            [&s](std::size_t) { return both_vectors(s.extent()); });
    };
    return {measure, defects};
}

benchmark reduce_local_row() {
    return {.name = "Reduce_local",
            .kind = family::collective,
            .shows = columns::range,
            .make = make_reduce_local,
            .needs = [](std::size_t s, std::size_t) -> lengths {
                return {s, s};
            },
            .reduces = true};
}

} // namespace

std::vector<benchmark> collective_rows() {
    auto rows = rows_of(call_modes::blocking, blocking_row);
    auto const reduce = std::find_if(rows.begin(), rows.end(), [](auto const& row) { return row.name == "Reduce"; });
    rows.insert(reduce + 1, reduce_local_row());
    return rows;
}

} // namespace imb
