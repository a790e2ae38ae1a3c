// SPDX-License-Identifier: BSL-1.0
// osu_xccl_NAME: collectives of NCCL.
#include "osu/xccl/nccl_collectives.hpp"

#include "osu/collective/collective_driver.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/xccl/nccl_connection.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/nccl/collectives.hpp>

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace osu::xccl {

namespace {

namespace nccl = sonde::nccl;

/// Collectives of NCCL that OMB measures. `operation` is the one of MPI with the same contents.
constexpr collective nccl_collectives[] = {
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

nccl::block bytes(mpi::block each) { return {ncclChar, each.count}; }
nccl::block floats(mpi::block each) { return {ncclFloat, each.count}; }

/// Create the operation of these arguments: returns f(sonde::CollectiveOperation). Reductions add floats, other
/// operations move bytes.
template <class F>
decltype(auto) with_nccl_operation(operation which, recipe const& r, F f) {
    switch (which) {
    case operation::allgather:
        return f(nccl::allgather{r.ranks, bytes(r.each)});
    case operation::allreduce:
        return f(nccl::allreduce{r.ranks, floats(r.each), ncclSum});
    case operation::alltoall:
        return f(nccl::alltoall{r.ranks, bytes(r.each)});
    case operation::bcast:
        return f(nccl::bcast{r.ranks, bytes(r.each)});
    case operation::reduce:
        return f(nccl::reduce{r.ranks, floats(r.each), ncclSum});
    case operation::reduce_scatter_block:
        return f(nccl::reduce_scatter{r.ranks, floats(r.scattered_block()), ncclSum});
    default:
        throw std::logic_error{"osu: an operation that NCCL does not have"};
    }
}

buffer_bytes bytes_of(collective const& what, recipe const& r) {
    return with_nccl_operation(what.operation, r, [](auto const& op) { return bytes_of_buffers(op); });
}

/// Driver of a collective of NCCL.
class nccl_collective_driver : public collective_driver {
public:
    nccl_collective_driver(invocation const& from, collective const& what)
        : collective_driver{from, what, what.plan, [&what](recipe const& r) { return bytes_of(what, r); }},
          connection_{world()} {}

    /// Measure one point. OMB chooses the iterations of a reduction by its number of elements, not by its bytes.
    result measure(point const& at) {
        auto const counted = what().size_of == size_of::vector ? at.size / at.type.bytes : at.size;
        return with_nccl_operation(what().operation, recipe_of(at), [&](auto const& op) -> result {
            auto const regions = buffers(bytes_of_buffers(op));
            nccl::nonblocking pattern{op, connection_.queue(), regions.out_slice(), regions.in_slice()};
            auto found = sonde::run(world(), plan_of(counted), pattern, point_of(at));
            if (options().check.on) found.errors = count_wrong(at, regions, [&pattern] { pattern(); });
            return found;
        });
    }

private:
    connection connection_; // destroyed before the buffers that NCCL uses
};

/// All programs take `-c`, which OMB has for alltoall only, where it has no effect. OMB has no `-r` and no `-k`; `-D`
/// and `-l` are refused.
constexpr option_set nccl_collective_options =
    common_options | validation_options |
    option_set{option_name::accelerator, option_name::full, option_name::memory_limit, option_name::array_size,
               option_name::work_place};

program program_of(collective const& what, std::string const& prefix) {
    return {.name = prefix + what.name,
            .title = std::string{"OSU "} + nccl_library.title + " " + what.title + " Latency Test",
            .moved_by = nccl_library,
            .accepted = nccl_collective_options | what.accepted,
            .shows = metric::collective,
            .smallest = what.size_of == size_of::vector ? sizeof(float) : 1,
            .largest = std::size_t{1} << 20,
            .needs = ranks::at_least_two,
            .managed_sides = false};
}

/// Options with the datatype of NCCL, whatever `-T` is: char, or of reductions, whose sizes are whole elements, float.
options with_nccl_types(options asked, collective const& what) {
    auto const reduces = what.size_of == size_of::vector;
    asked.types = {reduces ? element::real : element::character};
    return reduces ? within(std::move(asked), {.element = sizeof(float)}) : asked;
}

suite::named_program program_with(std::string const& prefix, collective const& what) {
    return named(program_of(what, prefix), [&what](invocation from) {
        from.options = with_nccl_types(std::move(from.options), what);
        auto const on = std::make_shared<nccl_collective_driver>(from, what);
        return prepared_run{
            on, "", [on] { on->each_point([&on](point const& at) { return on->report(at, on->measure(at)); }); }};
    });
}

} // namespace

std::vector<suite::named_program> collective_programs(std::string const& prefix) {
    return suite::programs_of(nccl_collectives, [&](collective const& what) { return program_with(prefix, what); });
}

} // namespace osu::xccl
