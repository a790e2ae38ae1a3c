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
lengths all_to_one(std::size_t s, std::size_t ranks) { return {ranks * s, s}; }
lengths one_to_all(std::size_t s, std::size_t ranks) { return {s, ranks * s}; }
lengths all_to_all(std::size_t s, std::size_t ranks) { return {ranks * s, ranks * s}; }

using suite::operation;

/// All collectives, in the order of IMB-MPI1.
constexpr collective collectives[] = {
    {.name = "Allreduce", .operation = operation::allreduce, .needs = buffers_for<1, 1>, .reduces = true},
    {.name = "Reduce", .operation = operation::reduce, .needs = buffers_for<1, 1>, .reduces = true, .rooted = true},
    {.name = "Reduce_scatter", .operation = operation::reduce_scatter, .needs = all_to_one, .reduces = true},
    {.name = "Reduce_scatter_block",
     .operation = operation::reduce_scatter_block,
     .needs = all_to_one,
     .reduces = true},
    {.name = "Allgather", .operation = operation::allgather, .needs = one_to_all, .persistent_by_default = false},
    {.name = "Allgatherv", .operation = operation::allgatherv, .needs = one_to_all},
    {.name = "Gather", .operation = operation::gather, .needs = one_to_all, .rooted = true},
    {.name = "Gatherv", .operation = operation::gatherv, .needs = one_to_all, .rooted = true},
    {.name = "Scatter", .operation = operation::scatter, .needs = all_to_one, .rooted = true},
    {.name = "Scatterv", .operation = operation::scatterv, .needs = all_to_one, .rooted = true},
    {.name = "Alltoall", .operation = operation::alltoall, .needs = all_to_all},
    {.name = "Alltoallv", .operation = operation::alltoallv, .needs = all_to_all},
    {.name = "Bcast", .operation = operation::bcast, .needs = buffers_for<1, 1>, .rooted = true},
    {.name = "Barrier", .operation = operation::barrier, .needs = buffers_for<0, 0>}};

/// The collectives of IMB-NBC and IMB-MPI4, in their order.
constexpr operation overlapped_operations[] = {
    operation::bcast,          operation::allgather, operation::allgatherv, operation::gather,    operation::gatherv,
    operation::scatter,        operation::scatterv,  operation::alltoall,   operation::alltoallv, operation::reduce,
    operation::reduce_scatter, operation::allreduce, operation::barrier};

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

std::vector<collective const*> overlapped_collectives() {
    std::vector<collective const*> all;
    for (auto const operation : overlapped_operations)
        all.push_back(std::find_if(std::begin(collectives), std::end(collectives),
                                   [=](auto const& of) { return of.operation == operation; }));
    return all;
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
    return largest_deviation(s, {s.send.bytes, s.receive.bytes}, call, moved, rounds);
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
        reduce_local pattern{s, s.send.first(s.extent()), s.receive.first(s.extent())};
        return largest_deviation(
            s, {s.send.bytes, s.receive.bytes}, [&pattern] { pattern(); },
            [&s](std::size_t) { return both_vectors(s.extent()); });
    };
    return {measure, defects};
}

benchmark reduce_local_row() {
    return {.name = "Reduce_local",
            .kind = family::collective,
            .shows = columns::range,
            .make = make_reduce_local,
            .reduces = true};
}

} // namespace

std::vector<benchmark> collective_rows() {
    std::vector<benchmark> rows;
    for (auto const& of : collectives) {
        rows.push_back(blocking_row(of));
        if (of.operation == operation::reduce) rows.push_back(reduce_local_row());
    }
    return rows;
}

} // namespace imb
