// SPDX-License-Identifier: BSL-1.0
// osu_xccl_NAME: collectives of NCCL, or of another library of its kind.
#include "osu/xccl/xccl_collectives.hpp"

#include "osu/collective/collective_driver.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/xccl/xccl_connection.hpp"

#include <sonde/measure/run.hpp>

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace osu::xccl {

namespace {

/// Collectives that OMB measures. `operation` is the one of MPI with the same contents.
constexpr collective xccl_collectives[] = {
    {.name = "allgather", .operation = operation::allgather, .title = "Allgather", .accepted = {}},
    {.name = "allreduce",
     .operation = operation::allreduce,
     .title = "Allreduce",
     .accepted = {},
     .size_of = size_of::vector},
    {.name = "alltoall",
     .operation = operation::alltoall,
     .title = "All-to-All Personalized Exchange",
     .accepted = option_name::type,
     .warns_of_limit = false},
    {.name = "bcast", .operation = operation::bcast, .title = "Broadcast", .accepted = {}, .size_of = size_of::message},
    {.name = "reduce", .operation = operation::reduce, .title = "Reduce", .accepted = {}, .size_of = size_of::vector},
    {.name = "reduce_scatter",
     .operation = operation::reduce_scatter_block,
     .title = "Reduce_scatter",
     .accepted = {},
     .size_of = size_of::vector}};

backend::block bytes(mpi::block each) { return {character, each.count}; }
backend::block floats(mpi::block each) { return {real, each.count}; }

/// Create the operation of these arguments: returns f(sonde::CollectiveOperation). Reductions add floats, other
/// operations move bytes.
template <class F>
decltype(auto) with_xccl_operation(operation which, recipe const& r, F f) {
    switch (which) {
    case operation::allgather:
        return f(backend::allgather{r.ranks, bytes(r.each)});
    case operation::allreduce:
        return f(backend::allreduce{r.ranks, floats(r.each), sum});
    case operation::alltoall:
        return f(backend::alltoall{r.ranks, bytes(r.each)});
    case operation::bcast:
        return f(backend::bcast{r.ranks, bytes(r.each)});
    case operation::reduce:
        return f(backend::reduce{r.ranks, floats(r.each), sum});
    case operation::reduce_scatter_block:
        return f(backend::reduce_scatter{r.ranks, floats(r.scattered_block()), sum});
    default:
        throw std::logic_error{"osu: an operation that the library does not have"};
    }
}

buffer_bytes bytes_of(collective const& what, recipe const& r) {
    return with_xccl_operation(what.operation, r, [](auto const& op) { return bytes_of_buffers(op); });
}

/// Driver of a collective.
class xccl_collective_driver : public collective_driver {
public:
    xccl_collective_driver(invocation const& from, collective const& what)
        : collective_driver{from, what, what.plan, [&what](recipe const& r) { return bytes_of(what, r); }},
          connection_{world()} {}

    /// Measure one point. OMB chooses the iterations of a reduction by its number of elements, not by its bytes.
    result measure(point const& at) {
        auto const counted = what().size_of == size_of::vector ? at.size / at.type.bytes : at.size;
        return with_xccl_operation(what().operation, recipe_of(at), [&](auto const& op) -> result {
            auto const regions = buffers(bytes_of_buffers(op));
            backend::nonblocking pattern{op, connection_.place(), regions.out_slice(), regions.in_slice()};
            auto found = sonde::run(world(), plan_of(counted), pattern, point_of(at));
            if (options().check.on) found.errors = count_wrong(at, regions, [&pattern] { pattern(); });
            return found;
        });
    }

private:
    connection connection_; // destroyed before the buffers that the library uses
};

/// All programs take `-c`, which OMB has for alltoall only, where it has no effect. OMB has no `-r` and no `-k`; `-D`
/// and `-l` are refused.
constexpr option_set xccl_collective_options =
    common_options | validation_options |
    option_set{option_name::accelerator, option_name::full, option_name::memory_limit, option_name::array_size,
               option_name::work_place};

program program_of(collective const& what, std::string const& prefix) {
    return {.name = prefix + what.name,
            .title = std::string{"OSU "} + xccl_library.title + " " + what.title + " Latency Test",
            .moved_by = xccl_library,
            .accepted = xccl_collective_options | what.accepted,
            .shows = metric::collective,
            .smallest = what.size_of == size_of::vector ? sizeof(float) : 1,
            .largest = std::size_t{1} << 20,
            .needs = ranks::at_least_two,
            .managed_sides = false};
}

/// Options with the datatype of the operations, whatever `-T` is: char, or of reductions, whose sizes are whole
/// elements, float.
options with_xccl_types(options asked, collective const& what) {
    auto const reduces = what.size_of == size_of::vector;
    asked.types = {reduces ? element::real : element::character};
    return reduces ? within(std::move(asked), {.element = sizeof(float)}) : asked;
}

suite::named_program program_with(std::string const& prefix, collective const& what) {
    return named(program_of(what, prefix), [&what](invocation from) {
        from.options = with_xccl_types(std::move(from.options), what);
        auto const on = std::make_shared<xccl_collective_driver>(from, what);
        return prepared_run{
            on, "", [on] { on->each_point([&on](point const& at) { return on->report(at, on->measure(at)); }); }};
    });
}

} // namespace

std::vector<suite::named_program> collective_programs(std::string const& prefix) {
    return suite::programs_of(xccl_collectives, [&](collective const& what) { return program_with(prefix, what); });
}

} // namespace osu::xccl
