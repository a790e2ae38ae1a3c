// SPDX-License-Identifier: BSL-1.0
// osu_upc_all_barrier, osu_upc_all_broadcast, osu_upc_all_exchange, osu_upc_all_gather, osu_upc_all_gather_all,
// osu_upc_all_reduce, osu_upc_all_scatter.
#include "osu/upc/upc_collectives.hpp"

#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/upc/upc_driver.hpp"
#include "suite/contents.hpp"

#include <sonde/collective/operations.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace osu::upc {

namespace {

enum class operation : unsigned char { barrier, broadcast, exchange, gather, gather_all, reduce, scatter };

/// A collective operation and its program.
struct collective {
    char const* name;  // osu_upc_all_NAME
    char const* title; // OSU UPC TITLE Latency Test
    upc::operation operation;
};

constexpr collective collectives[] = {
    {"barrier", "Barrier", operation::barrier},         {"broadcast", "Broadcast", operation::broadcast},
    {"exchange", "Exchange", operation::exchange},      {"gather", "Gather", operation::gather},
    {"gather_all", "GatherAll", operation::gather_all}, {"reduce", "Reduce", operation::reduce},
    {"scatter", "Scatter", operation::scatter}};

constexpr sweep_plan sized_plan{
    .iterations = 1'000, .warmup = 200, .large = {100, 10}, .synchronize = before_each_iteration};
constexpr sweep_plan barrier_plan{
    .iterations = 1'000, .warmup = 10, .large = {1'000, 10}, .synchronize = before_each_size};

program program_of(collective const& what) {
    auto const sized = what.operation != operation::barrier;
    auto const options = common_options | option_name::full | option_name::memory_limit;
    return {.name = std::string{"osu_upc_all_"} + what.name,
            .title = std::string{"OSU UPC "} + what.title + " Latency Test",
            .moved_by = upc_library,
            .accepted = sized ? options | validation_options : options,
            .shows = metric::collective,
            .largest = std::size_t{1} << 20,
            .rows = sized ? rows::sizes : rows::one,
            .needs = ranks::at_least_two,
            .style = {.blank_line = false}};
}

/// Messages in the largest buffer of a thread: as many as there are threads, or one.
std::size_t blocks_of(operation which, int threads) {
    auto const one = which == operation::barrier || which == operation::broadcast || which == operation::reduce;
    return one ? 1 : static_cast<std::size_t>(threads);
}

// The operations, with their contents and traffic. Thread 0 is the root.

struct message {
    std::size_t n;

    std::size_t bytes() const { return n; }
};
using messages = sonde::uniform_blocks<message>;
constexpr auto out_of_place = sonde::placement::out_of_place;

struct broadcast : sonde::broadcast_base<sonde::group_member, int, messages> {
    broadcast(sonde::group_member const& thread, std::size_t n) : broadcast_base{thread, message{n}, 0, out_of_place} {}
};
struct exchange : sonde::alltoall_base<sonde::group_member, messages> {
    exchange(sonde::group_member const& thread, std::size_t n)
        : alltoall_base{thread, message{n}, message{n}, out_of_place} {}
};
struct gather : sonde::gather_base<sonde::group_member, int, messages> {
    gather(sonde::group_member const& thread, std::size_t n) : gather_base{thread, message{n}, 0, out_of_place} {}
};
struct gather_all : sonde::gather_base<sonde::group_member, sonde::no_root, messages> {
    gather_all(sonde::group_member const& thread, std::size_t n) : gather_base{thread, message{n}, {}, out_of_place} {}
};
struct scatter : sonde::scatter_base<sonde::group_member, int, messages> {
    scatter(sonde::group_member const& thread, std::size_t n) : scatter_base{thread, message{n}, 0, out_of_place} {}
};

/// Calls of an operation of upc_operations.h: a pattern.
template <auto call>
class calls {
public:
    calls(upc_driver const& of, std::size_t bytes, sonde::traffic traffic)
        : source_{of.source().number()}, target_{of.target().number()}, bytes_{bytes}, traffic_{traffic} {}

    void operator()() const { call(target_, source_, bytes_); }
    sonde::traffic traffic() const { return traffic_; }

private:
    int source_;
    int target_;
    std::size_t bytes_;
    sonde::traffic traffic_;
};

/// Characters of a reduction to the largest. In each round another character of another thread is the largest: if it is
/// lost, the result is wrong.
struct characters {
    std::size_t round, threads, n;

    signed char largest() const { return static_cast<signed char>(100 + round); }
    signed char of(int thread, std::size_t i) const {
        auto const rank = static_cast<std::size_t>(thread);
        if (rank == round % threads && i == 11 * round % n) return largest();
        return static_cast<signed char>(1 + (7 * i + 31 * rank + round) % 90);
    }
};

/// Driver of a collective operation.
class collective_driver : public upc_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the largest size. Collective over the group.
    collective_driver(invocation const& from, collective const& what)
        : upc_driver{from, largest_buffer(from, what)}, what_{what} {}

    result measure(point const& at) {
        auto const n = at.size;
        sonde::group_member const me{world().rank(), world().size(), "osu::upc"};
        switch (what_.operation) {
        case operation::barrier:
            return run(
                plan(barrier_plan, 0), [] { osu_upc_barrier(); }, at);
        case operation::broadcast:
            return measure<osu_upc_all_broadcast>(at, broadcast{me, n});
        case operation::exchange:
            return measure<osu_upc_all_exchange>(at, exchange{me, n});
        case operation::gather:
            return measure<osu_upc_all_gather>(at, gather{me, n});
        case operation::gather_all:
            return measure<osu_upc_all_gather_all>(at, gather_all{me, n});
        case operation::reduce:
            return measure_reduction(at);
        case operation::scatter:
            return measure<osu_upc_all_scatter>(at, scatter{me, n});
        }
        throw std::logic_error{"osu: an operation that UPC does not have"};
    }

private:
    /// At least a byte: a barrier has no data.
    static std::size_t largest_buffer(invocation const& from, collective const& what) {
        if (what.operation == operation::barrier) return 1;
        return from.options.max_size * blocks_of(what.operation, from.world.size());
    }

    template <auto call, class Op>
    result measure(point const& at, Op const& op) {
        auto const out = source().local().first(op.send_bytes()), in = target().local().first(op.recv_bytes());
        auto const values = [](std::size_t round) { return known_values{round, 1}; };
        auto const write_round = [&](std::size_t round) {
            for (auto const& c : op.contributions(0))
                suite::write_contribution(out.subspan(c.offset, c.bytes), {at.type.kind}, values(round), world().rank(),
                                          c.destination);
        };
        auto const find_in_round = [&](std::size_t round) {
            std::vector<wrong_element> wrong;
            for (auto const& block : op.expected_blocks(0))
                suite::compare_block(in, {at.type.kind}, values(round), block, append_to(wrong));
            return wrong;
        };
        return measure_calls(at, calls<call>{*this, at.size, op.traffic()}, write_round, find_in_round);
    }

    result measure_reduction(point const& at) {
        auto const threads = static_cast<std::size_t>(world().size());
        auto const write_round = [&](std::size_t round) {
            characters const values{round, threads, at.size};
            write_each<signed char>(source().local().first(at.size),
                                    [&](std::size_t i) { return values.of(world().rank(), i); });
        };
        auto const find_in_round = [&](std::size_t round) {
            characters const values{round, threads, at.size};
            std::vector<wrong_element> wrong;
            if (world().rank() == 0)
                compare_each<signed char>(
                    target().local().first(1), [&](std::size_t) { return values.largest(); }, append_to(wrong));
            return wrong;
        };
        return measure_calls(at, calls<osu_upc_all_reduce>{*this, at.size, {at.size, 1, 1, 1, threads}}, write_round,
                             find_in_round);
    }

    /// Measure an operation, and validate its contents. `write_round` writes the source of a round.
    result measure_calls(point const& at, auto call, auto write_round, auto find_in_round) {
        auto const clear = [this](std::byte with) {
            std::fill(target().local().begin(), target().local().end(), with);
        };
        clear(std::byte{0});
        std::fill(source().local().begin(), source().local().end(), std::byte{1});
        result found = run(plan(sized_plan, at.size).keep({.sample_means = !options().percentiles.empty()}), call, at);
        if (options().check.on)
            found.record.errors = count_wrong(at, {call,
                                                   [&](std::size_t round) {
                                                       clear(std::byte{0xff});
                                                       write_round(round);
                                                   },
                                                   find_in_round});
        return found;
    }

    collective const& what_;
};

suite::named_program named_collective(collective const& what) {
    return named(program_of(what), [&what](invocation from) {
        from.options = within(std::move(from.options), {.blocks = blocks_of(what.operation, from.world.size())});
        auto const on = std::make_shared<collective_driver>(from, what);
        return prepared_run{
            on, "", [on] { on->each_point([&on](point const& at) { return on->report(at, on->measure(at)); }); }};
    });
}

} // namespace

std::vector<suite::named_program> collective_programs() { return suite::programs_of(collectives, named_collective); }

} // namespace osu::upc
