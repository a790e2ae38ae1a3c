// SPDX-License-Identifier: BSL-1.0
#include "imb/mt/mt_benchmarks.hpp"

#include "imb/driver/patterns.hpp"
#include "imb/driver/setting.hpp"
#include "imb/driver/thread_sweep.hpp"
#include "suite/contents.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace imb::mt {

namespace {

namespace mpi = sonde::mpi;

/// Distance in ranks to a partner, or to a neighbor in a ring: `-stride`, where 0 means half of the ranks.
int distance(int stride, int ranks) { return stride == 0 ? ranks / 2 : stride; }

} // namespace

sonde::pairing pair_by_stride(int rank, int ranks, int stride) {
    auto const apart = distance(stride, ranks);
    if (apart <= 0 || apart > ranks / 2) return {};
    auto const block = rank / apart;
    if (block / 2 == ranks / (2 * apart)) return {};
    if (block % 2 == 0) return {sonde::role::initiator, rank + apart};
    return {sonde::role::responder, rank - apart};
}

namespace {

sonde::pairing pairing_of(setting const& s) { return pair_by_stride(s.group.rank(), s.group.size(), s.options.stride); }
mpi::elements elements_of(setting const& s) { return {s.data}; }
chain_link ring_of(setting const& s) { return {s.group, elements_of(s), distance(s.options.stride, s.group.size())}; }

/// One buffer for all messages.
sonde::slice message_of(setting const& s, message_buffers const& all) {
    return sonde::slice{all.on_host().first(s.bytes)};
}
/// The same for the patterns of IMB-MPI1; `i`: number of the receive buffer.
buffer out_of(setting const& s) { return {s.send.bytes.first(s.bytes), s.bytes, stride_of(s.bytes)}; }
buffer in_of(setting const& s, std::size_t i) {
    return {s.receive.bytes.subspan(i * stride_of(s.bytes), s.bytes), s.bytes, stride_of(s.bytes)};
}
/// A receive buffer for each message of a window.
buffer window_in_of(setting const& s) {
    return {s.receive.bytes.first(s.options.window * stride_of(s.bytes)), s.bytes, stride_of(s.bytes)};
}
/// A byte for acknowledgments.
sonde::slice token_of(setting const& s) { return sonde::slice{s.receive.on_host().last(1)}; }

/// Plan of `-repeat` repetitions after `-warmup`: the loop as a whole, or each call of a collective.
thread_plan plan_of(setting const& s) {
    auto const calls = s.test.kind == family::collective, loop = !calls && s.test.kind != family::synchronization;
    constexpr std::size_t between_calls = 5;
    return thread_plan{}
        .synchronized(thread_start{s.options.synchronization != thread_barrier::off, calls ? between_calls : 0})
        .warmup(s.options.warm_ups)
        .batch(loop ? s.options.repeats : 1)
        .until(sonde::samples{loop ? 1 : s.options.repeats})
        .keep({.rank_means = true});
}

sonde::point point_of(setting const& s) {
    sonde::point point{s.test.name,
                       {{"bytes", s.bytes}, {"processes", s.group.size()}, {"threads", s.thread->threads}}};
    if (s.test.kind == family::message_rate) point.parameters.emplace_back("window", s.options.window);
    return point;
}

// Contents.

/// Messages that must arrive in the receive buffer of a thread. The sources are ranks; their threads have this thread's
/// number.
using expected_messages = std::vector<sonde::expected_block>;

/// Element i of a thread's message: at most 1009, so that an int holds the sum over two million ranks.
int value(int rank, int thread, std::size_t i) {
    auto const number = 101 * static_cast<std::size_t>(rank) + 17 * static_cast<std::size_t>(thread) + i;
    return 1 + static_cast<int>(number % 1009);
}

/// Overwrite with bytes that no message has.
void clear(sonde::region buffer) {
    if (!buffer.empty()) std::memset(buffer.data(), 0xff, buffer.size());
}

/// Number of elements that differ from the sum of the sources' elements.
std::size_t wrong_values(sonde::region buffer, sonde::expected_block const& block, int thread) {
    std::size_t wrong = 0;
    auto const expected = [&](std::size_t i) {
        int sum = 0;
        for (auto rank = block.first_source; rank <= block.last_source; ++rank) sum += value(rank, thread, i);
        return sum;
    };
    suite::compare_each<int>(buffer.subspan(block.offset, block.bytes), expected, [&](auto const&) { ++wrong; });
    return wrong;
}

/// Elements that are wrong on this thread after two checked repetitions. Collective over all threads.
std::size_t wrong_elements(setting const& s, std::function<void()> repetition, expected_messages const& expected) {
    std::size_t mine = 0;
    auto const thread = s.thread->self.thread();
    auto const prepare = [&](std::size_t) {
        write_each<int>(message_of(s, s.send).next(), [&](std::size_t i) { return value(s.group.rank(), thread, i); });
        clear(s.receive.on_host());
    };
    auto const verify = [&](std::size_t) {
        std::size_t wrong = 0;
        for (auto const& block : expected) wrong += wrong_values(s.receive.on_host(), block, thread);
        mine += wrong;
        return wrong;
    };
    static_cast<void>(sonde::validate(s.thread->self, repetition, prepare, verify, 2));
    return mine;
}

/// A row's `make`: the benchmark of one size, from its pattern and the messages that must arrive in a repetition.
template <auto PatternOf, auto ExpectedOf>
work make(setting& s) {
    return {.measure = [&s](std::size_t) -> result {
                return {imb::run(s.thread->self, plan_of(s), PatternOf(s), point_of(s))};
            },
            .defects =
                [&s] {
                    auto pattern = PatternOf(s);
                    auto const repetition = [&pattern] {
                        pattern();
                        sonde::complete(pattern);
                    };
                    return static_cast<double>(wrong_elements(s, repetition, ExpectedOf(s)));
                }};
}

expected_messages none(setting const&) { return {}; }

// Point-to-point benchmarks.

auto ping_pong(setting const& s) {
    auto const [role, peer] = pairing_of(s);
    return timed_on_both_sides{sonde::ping_pong{mpi::link{s.group, peer, tag, elements_of(s)}, role,
                                                message_of(s, s.send), message_of(s, s.receive)}};
}

auto ping_ping(setting const& s) {
    auto const [role, peer] = pairing_of(s);
    sourced_link const link{s.group, peer, source::peer, elements_of(s)};
    return unless_idle{role, imb::ping_ping{link, out_of(s), in_of(s, 0)}};
}

expected_messages from_peer(setting const& s) {
    auto const peer = pairing_of(s).peer;
    return peer < 0 ? none(s) : expected_messages{{0, s.bytes, peer, peer}};
}

auto send_recv(setting const& s) { return sendrecv{ring_of(s), out_of(s), in_of(s, 0)}; }

expected_messages from_left(setting const& s) {
    auto const left = ring_of(s).left();
    return {{0, s.bytes, left, left}};
}

auto exchange(setting const& s) {
    return imb::exchange{ring_of(s), {out_of(s), out_of(s)}, {in_of(s, 0), in_of(s, 1)}};
}

expected_messages from_both_neighbors(setting const& s) {
    auto const left = ring_of(s).left(), right = ring_of(s).right();
    return {{0, s.bytes, left, left}, {stride_of(s.bytes), s.bytes, right, right}};
}

mpi::async_link window_link(setting const& s) { return {s.group, pairing_of(s).peer, tag, elements_of(s)}; }
mpi::link acknowledgment_link(setting const& s) { return {s.group, pairing_of(s).peer, tag + 1, {MPI_CHAR}}; }

auto uni_band(setting const& s) {
    return timed_on_both_sides{sonde::stream{window_link(s), pairing_of(s).role, s.options.window,
                                             message_of(s, s.send), window_in_of(s), acknowledgment_link(s),
                                             token_of(s)}};
}

auto bi_band(setting const& s) {
    sonde::bidirectional both{window_link(s),        sonde::role::initiator, s.options.window,
                              message_of(s, s.send), window_in_of(s),        sonde::directions::sent};
    auto const role = pairing_of(s).role;
    return unless_idle{role, acknowledged{std::move(both), acknowledgment_link(s), role, token_of(s)}};
}

expected_messages window_from_peer(setting const& s) {
    expected_messages all;
    auto const peer = pairing_of(s).peer;
    for (std::size_t i = 0; peer >= 0 && i != s.options.window; ++i)
        all.push_back({i * stride_of(s.bytes), s.bytes, peer, peer});
    return all;
}

expected_messages window_at_responder(setting const& s) {
    return pairing_of(s).role == sonde::role::responder ? window_from_peer(s) : none(s);
}

// Collectives of the ranks, on the communicator of each thread.

/// A barrier of the process's threads, then a barrier of the ranks on each thread's communicator.
auto barrier_of_all(setting const& s) {
    auto among_ranks = mpi::blocking{mpi::barrier{s.group}};
    auto const moved = among_ranks.traffic();
    auto const several = s.options.level == threading::multiple;
    return sonde::with_traffic{moved, [several, &threads = s.thread->process_threads, among_ranks]() mutable {
                                   if (several) threads.arrive_and_wait();
                                   among_ranks();
                               }};
}

auto bcast(setting const& s) {
    return mpi::blocking{mpi::bcast{s.group, s.block_of(s.bytes), 0},
                         message_of(s, s.group.rank() == 0 ? s.send : s.receive)};
}

expected_messages from_root(setting const& s) {
    return s.group.rank() == 0 ? none(s) : expected_messages{{0, s.bytes, 0, 0}};
}

auto reduce(setting const& s) {
    return mpi::blocking{mpi::reduce{s.group, s.block_of(s.bytes), MPI_SUM, 0}, message_of(s, s.send),
                         message_of(s, s.receive)};
}

auto all_reduce(setting const& s) {
    return mpi::blocking{mpi::allreduce{s.group, s.block_of(s.bytes), MPI_SUM}, message_of(s, s.send),
                         message_of(s, s.receive)};
}

expected_messages sum_of_all(setting const& s) { return {{0, s.bytes, 0, s.group.size() - 1}}; }
expected_messages sum_at_root(setting const& s) { return s.group.rank() == 0 ? sum_of_all(s) : none(s); }

} // namespace

std::vector<benchmark> rows() {
    constexpr auto pairs = family::parallel_transfer, window = family::message_rate;
    constexpr auto range = columns::range_bandwidth, rate = columns::rate;
    // clang-format off
    return {
        {.name = "PingPongMT", .kind = pairs, .shows = range, .make = make<ping_pong, from_peer>, .time_factor = 0.5},
        {.name = "PingPingMT", .kind = pairs, .shows = range, .make = make<ping_ping, from_peer>},
        {.name = "SendRecvMT", .kind = pairs, .shows = range, .make = make<send_recv, from_left>,
         .bandwidth_factor = 2},
        {.name = "ExchangeMT", .kind = pairs, .shows = range, .make = make<exchange, from_both_neighbors>,
         .needs = buffers_for<1, 2>, .bandwidth_factor = 4},
        {.name = "UniBandMT", .kind = window, .shows = rate, .make = make<uni_band, window_at_responder>},
        {.name = "BiBandMT", .kind = window, .shows = rate, .make = make<bi_band, window_from_peer>,
         .time_factor = 0.5},
        {.name = "BarrierMT", .kind = family::synchronization, .make = make<barrier_of_all, none>},
        {.name = "BcastMT", .make = make<bcast, from_root>},
        {.name = "ReduceMT", .make = make<reduce, sum_at_root>, .reduces = true},
        {.name = "AllReduceMT", .make = make<all_reduce, sum_of_all>, .reduces = true},
    };
    // clang-format on
}

} // namespace imb::mt
