// SPDX-License-Identifier: BSL-1.0
// osu_upcxx_bcast, osu_upcxx_reduce, and osu_upcxx_allgather, osu_upcxx_gather, osu_upcxx_scatter, osu_upcxx_alltoall,
// which are puts and a barrier, because UPC++ has had no such calls since version 1.0.
#include "osu/upcxx/upcxx_collectives.hpp"

#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/upcxx/upcxx_driver.hpp"
#include "suite/contents.hpp"

#include <sonde/upcxx/collectives.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace osu::upcxx {

namespace {

enum class operation : unsigned char { allgather, alltoall, bcast, gather, reduce, scatter };

/// A collective operation and its program.
struct collective {
    char const* name;  // osu_upcxx_NAME
    char const* title; // OSU UPC++ TITLE Latency Test
    upcxx::operation operation;
    bool block_of_each; // a buffer has a block of each rank
};

constexpr collective collectives[] = {
    {"allgather", "AllGather", operation::allgather, true}, {"alltoall", "AlltoAll", operation::alltoall, true},
    {"bcast", "Broadcast", operation::bcast, false},        {"gather", "Gather", operation::gather, true},
    {"reduce", "Reduce", operation::reduce, false},         {"scatter", "Scatter", operation::scatter, true}};

constexpr sweep_plan collective_plan{
    .iterations = 1'000, .warmup = 200, .large = {100, 10}, .synchronize = before_each_iteration};

program program_of(collective const& what) {
    return {.name = std::string{"osu_upcxx_"} + what.name,
            .title = std::string{"OSU UPC++ "} + what.title + " Latency Test",
            .moved_by = upcxx_library,
            .accepted = common_options | validation_options | option_name::full | option_name::memory_limit,
            .shows = metric::collective,
            .largest = std::size_t{1} << 20,
            .needs = ranks::at_least_two,
            .style = {.blank_line = false}};
}

std::size_t blocks_of(collective const& what, int ranks) {
    return what.block_of_each ? static_cast<std::size_t>(ranks) : 1;
}

/// Driver of a collective operation on buffers of the shared segment.
class collective_driver : public upcxx_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the largest size. Collective over the group.
    collective_driver(invocation const& from, collective const& what)
        : upcxx_driver{from, 2.0 * static_cast<double>(largest_buffer(from, what))}, what_{what},
          out_{allocate(largest_buffer(from, what))}, in_{allocate(largest_buffer(from, what))} {}

    result measure(point const& at) {
        using namespace sonde::upcxx;
        switch (what_.operation) {
        case upcxx::operation::allgather:
            return measure(at, allgather{ranks(), at.size});
        case upcxx::operation::alltoall:
            return measure(at, alltoall{ranks(), at.size});
        case upcxx::operation::bcast:
            return measure(at, broadcast{ranks(), at.size});
        case upcxx::operation::gather:
            return measure(at, gather{ranks(), at.size});
        case upcxx::operation::reduce:
            return measure(at, reduce_one<char, sum>{ranks(), at.size});
        case upcxx::operation::scatter:
            return measure(at, scatter{ranks(), at.size});
        }
        throw std::logic_error{"osu: an operation that UPC++ does not have"};
    }

private:
    static std::size_t largest_buffer(invocation const& from, collective const& what) {
        return from.options.max_size * blocks_of(what, from.world.size());
    }

    template <class Op>
    result measure(point const& at, Op const& op) {
        auto const out = out_.bytes().first(op.send_bytes()), in = in_.bytes().first(op.recv_bytes());
        std::fill(in.begin(), in.end(), std::byte{0});
        std::fill(out.begin(), out.end(), std::byte{1});
        sonde::upcxx::blocking call{op, sonde::slice{out}, sonde::slice{in}};
        auto found =
            run(plan(collective_plan, at.size).keep({.sample_means = !options().percentiles.empty()}), call, at);
        if (options().check.on)
            found.errors =
                count_wrong(at, {[&call] { call(); }, [&](std::size_t round) { write_round(at, op, round, out, in); },
                                 [&](std::size_t round) { return find_in_round(at, op, round, in); }});
        return found;
    }
    known_values values_in(std::size_t round) const {
        return {round, what_.operation == operation::reduce ? world().size() : 1};
    }
    template <class Op>
    void write_round(point const& at, Op const& op, std::size_t round, sonde::region out, sonde::region in) {
        std::fill(in.begin(), in.end(), std::byte{0xff});
        for (auto const& c : op.contributions(0))
            suite::write_contribution((c.in_recvbuf ? in : out).subspan(c.offset, c.bytes), {at.type.kind},
                                      values_in(round), world().rank(), c.destination);
    }
    template <class Op>
    std::vector<wrong_element> find_in_round(point const& at, Op const& op, std::size_t round, sonde::region in) const {
        std::vector<wrong_element> wrong;
        for (auto const& block : op.expected_blocks(0))
            suite::compare_block(in, {at.type.kind}, values_in(round), block, append_to(wrong));
        return wrong;
    }

    collective const& what_;
    sonde::upcxx::shared_allocation out_;
    sonde::upcxx::shared_allocation in_;
};

suite::named_program named_collective(collective const& what) {
    return named(program_of(what), [&what](invocation from) {
        from.options = within(std::move(from.options), {.blocks = blocks_of(what, from.world.size())});
        auto const on = std::make_shared<collective_driver>(from, what);
        return prepared_run{
            on, "", [on] { on->each_point([&on](point const& at) { return on->report(at, on->measure(at)); }); }};
    });
}

} // namespace

std::vector<suite::named_program> collective_programs() { return suite::programs_of(collectives, named_collective); }

} // namespace osu::upcxx
