// SPDX-License-Identifier: BSL-1.0
// osu_oshm_barrier, osu_oshm_broadcast, osu_oshm_collect, osu_oshm_fcollect, osu_oshm_reduce.
#include "osu/openshmem/openshmem_collectives.hpp"

#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/openshmem/openshmem_driver.hpp"
#include "suite/contents.hpp"

#include <sonde/shmem/collectives.hpp>
#include <sonde/shmem/reductions.hpp>

#include <climits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace osu::openshmem {

namespace {

enum class operation : unsigned char { barrier, broadcast, collect, fcollect, reduce };

/// A collective operation of OpenSHMEM and its program.
struct collective {
    char const* name;  // osu_oshm_NAME
    char const* title; // OSU OpenSHMEM TITLE Latency Test
    openshmem::operation operation;
};

constexpr collective collectives[] = {{"barrier", "Barrier", operation::barrier},
                                      {"broadcast", "Broadcast", operation::broadcast},
                                      {"collect", "Collect", operation::collect},
                                      {"fcollect", "FCollect", operation::fcollect},
                                      {"reduce", "Reduce", operation::reduce}};

/// Elements have four bytes.
constexpr std::size_t element_size = 4;

/// Iterations by the number of elements, not of bytes: see `collective_driver::plan_of`.
constexpr sweep_plan sized_plan{
    .iterations = 1'000, .warmup = 200, .large = {100, 10}, .synchronize = before_each_iteration};
constexpr sweep_plan barrier_plan{.iterations = 100, .warmup = 10, .large = {100, 10}, .synchronize = before_each_size};

program program_of(collective const& what) {
    auto const sized = what.operation != operation::barrier;
    auto const options = common_options | option_name::full | option_name::memory_limit;
    return {.name = std::string{"osu_oshm_"} + what.name,
            .title = std::string{"OSU OpenSHMEM "} + what.title + " Latency Test",
            .moved_by = openshmem_library,
            .accepted = sized ? options | validation_options : options,
            .shows = metric::collective,
            .smallest = element_size,
            .largest = std::size_t{1} << 20,
            .rows = sized ? rows::sizes : rows::one,
            .needs = ranks::at_least_two,
            .style = {.blank_line = false}};
}

/// Blocks of the largest buffer: one for each PE, or one.
std::size_t blocks_of(operation which, std::size_t pes) {
    return which == operation::collect || which == operation::fcollect ? pes : 1;
}

/// Options with the datatype of the operation, and sizes of whole elements.
options with_elements(options asked, operation which, std::size_t pes) {
    asked.types = {which == operation::reduce ? element::real : element::integer};
    return within(std::move(asked),
                  {.element = element_size, .most_elements = INT_MAX, .blocks = blocks_of(which, pes)});
}

/// shmem_barrier of all PEs, with two work arrays in turn, as in OMB: a pattern.
class active_set_barrier {
public:
    explicit active_set_barrier(int pes) : pes_{pes} {}
    void operator()() {
        turn_ = 1 - turn_;
        shmem_barrier(0, 0, pes_, sync_.elements().data() + turn_ * SHMEM_BARRIER_SYNC_SIZE);
    }

private:
    int pes_;
    std::size_t turn_ = 0;
    shmem::symmetric_array<long> sync_{2 * SHMEM_BARRIER_SYNC_SIZE, SHMEM_SYNC_VALUE};
};

/// Driver of a collective operation.
class collective_driver : public openshmem_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the largest size. Collective over the group.
    collective_driver(invocation const& from, collective const& what)
        : openshmem_driver{from, largest_buffers(from, what)}, what_{what},
          out_{allocate({}, bytes_of_send_buffer(), alignment)},
          in_{allocate({}, blocks_of(what.operation, size()) * options().max_size, alignment)} {}

    result measure(point const& at);

private:
    static constexpr std::size_t alignment = 4096;

    /// Bytes on the heap: of the buffers, and of the work arrays of a reduction.
    static std::size_t largest_buffers(invocation const& from, collective const& what) {
        if (what.operation == operation::barrier) return 0;
        auto const blocks = blocks_of(what.operation, static_cast<std::size_t>(from.world.size()));
        std::size_t const work = what.operation == operation::reduce ? 2 : 0;
        return heap_bytes(from.options, 1 + blocks + work, from.options.max_size + alignment, 0);
    }
    std::size_t size() const { return static_cast<std::size_t>(world().size()); }
    /// A broadcast sends from the buffer into which the other PEs receive.
    std::size_t bytes_of_send_buffer() const {
        return what_.operation == operation::broadcast ? 0 : options().max_size;
    }
    size_plan plan_of(point const& at) const {
        return plan(sized_plan, at.size / element_size).keep({.sample_means = !options().percentiles.empty()});
    }

    template <class Op>
    result measure_operation(point const& at, Op const& op, sonde::region out, sonde::region in);
    template <class T>
    std::size_t count_wrong_elements(point const& at, sonde::region out, sonde::region in,
                                     std::function<void()> const& call);
    template <class T>
    T expected(known_values const& values, std::size_t i, std::size_t n) const;

    collective const& what_;
    symmetric_buffer out_;
    symmetric_buffer in_;
};

result collective_driver::measure(point const& at) {
    auto const n = at.size / element_size;
    auto const out = out_.bytes(), in = in_.bytes();
    switch (what_.operation) {
    case operation::barrier:
        return run(plan(barrier_plan, 0), active_set_barrier{world().size()}, point_of(at));
    case operation::broadcast:
        return measure_operation(at, shmem::broadcast<int>{pes(), n}, in, in);
    case operation::collect:
        return measure_operation(at, shmem::collect<int>{pes(), std::vector<std::size_t>(size(), n)}, out, in);
    case operation::fcollect:
        return measure_operation(at, shmem::fcollect<int>{pes(), n}, out, in);
    case operation::reduce:
        return measure_operation(at, shmem::reduce<float, shmem::sum>{pes(), n}, out, in);
    }
    throw std::logic_error{"osu: an operation that OpenSHMEM does not have"};
}

template <class Op>
result collective_driver::measure_operation(point const& at, Op const& op, sonde::region out, sonde::region in) {
    out = out.first(op.send_bytes());
    in = in.first(op.recv_bytes());
    std::fill(in.begin(), in.end(), std::byte{0});
    std::fill(out.begin(), out.end(), std::byte{1});
    shmem::blocking call{op, sonde::slice{out}, sonde::slice{in}};
    auto found = run(plan_of(at), call, point_of(at));
    if (options().check.on)
        found.errors = with_element(at.type.kind, [&](auto type) {
            return count_wrong_elements<decltype(type)>(at, out, in, [&call] { call(); });
        });
    return found;
}

/// Element i after an operation on n elements of each PE.
template <class T>
T collective_driver::expected(known_values const& values, std::size_t i, std::size_t n) const {
    if (what_.operation != operation::reduce) return values.element<T>(static_cast<int>(i / n), -1, i % n);
    return values.sum<T>(0, world().size() - 1, -1, i);
}

template <class T>
std::size_t collective_driver::count_wrong_elements(point const& at, sonde::region out, sonde::region in,
                                                    std::function<void()> const& call) {
    auto const n = at.size / element_size;
    auto const in_round = [&](std::size_t round) {
        return known_values{round, what_.operation == operation::reduce ? world().size() : 1};
    };
    auto const in_place = what_.operation == operation::broadcast;
    auto const write_elements = [&](std::size_t round) {
        std::fill(in.begin(), in.end(), std::byte{0xff});
        if (in_place && world().rank() != 0) return;
        write_each<T>(out, [&](std::size_t i) { return in_round(round).template element<T>(world().rank(), -1, i); });
    };
    auto const find = [&](std::size_t round) {
        std::vector<wrong_element> wrong;
        auto const value = [&](std::size_t i) { return expected<T>(in_round(round), i, n); };
        compare_each<T>(in, value, append_to(wrong));
        return wrong;
    };
    return count_wrong(at, call, write_elements, find);
}

suite::named_program program_with(collective const& what) {
    return named(program_of(what), [&what](invocation from) {
        if (what.operation != operation::barrier)
            from.options =
                with_elements(std::move(from.options), what.operation, static_cast<std::size_t>(from.world.size()));
        auto const on = std::make_shared<collective_driver>(from, what);
        return prepared_run{
            on, "", [on] { on->each_point([&on](point const& at) { return on->report(at, on->measure(at)); }); }};
    });
}

} // namespace

std::vector<suite::named_program> collective_programs() { return suite::programs_of(collectives, program_with); }

} // namespace osu::openshmem
