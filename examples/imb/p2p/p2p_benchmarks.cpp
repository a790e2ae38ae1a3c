// SPDX-License-Identifier: BSL-1.0
#include "imb/p2p/p2p_benchmarks.hpp"

#include "imb/driver/setting.hpp"
#include "imb/p2p/communication.hpp"
#include "imb/p2p/transport.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace imb::p2p {

std::size_t repetitions_of(iterations const& most, std::size_t bytes) {
    if (bytes == 0) return most.messages;
    auto const rest = most.volume % bytes;
    return std::clamp(most.volume / bytes + (rest >= bytes - rest ? 1 : 0), std::size_t{1}, most.messages);
}

std::size_t warm_up_of(std::size_t n) { return n > 1 ? std::max(n / 10, std::size_t{1}) : 0; }

namespace {

/// The messages of one direction.
std::vector<sonde::region> regions_of(setting const& s, message_buffers const& all) {
    std::vector<sonde::region> found;
    for (std::size_t i = 0; i != all.layout.count; ++i)
        found.push_back(all.on_host().subspan(i * all.layout.stride, s.bytes));
    return found;
}

mpi_transport transport_of(setting const& s) {
    return {s.group, {s.options.writes, s.options.reads}, regions_of(s, s.send), regions_of(s, s.receive)};
}

/// Contents before a checked repetition: known bytes in the send buffers, their complements in the receive buffers.
void write_contents(setting const& s) {
    auto const me = s.group.rank();
    for (auto const message : regions_of(s, s.send))
        for (std::size_t i = 0; i != s.bytes; ++i) message[i] = content(me, i);
    for (auto const message : regions_of(s, s.receive))
        for (std::size_t i = 0; i != s.bytes; ++i) message[i] = ~content(me, i);
}

/// Bytes that differ from those of the last source of each buffer.
std::size_t wrong_bytes_in(setting const& s, source_log const& log) {
    auto const where = log.in_place ? regions_of(s, s.send) : regions_of(s, s.receive);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k != where.size(); ++k)
        for (std::size_t i = 0; i != s.bytes && log.sources[k] >= 0; ++i)
            wrong += where[k][i] != content(log.sources[k], i);
    return wrong;
}

/// Wrong bytes on all ranks in three checked repetitions; `log_sources` runs the same repetitions on a source_log.
/// Collective.
double wrong_bytes(setting const& s, std::function<void()> repetition,
                   std::function<void(source_log&)> const& log_sources) {
    constexpr std::size_t rounds = 3;
    auto const verify = [&](std::size_t) {
        source_log log{s.send.layout.count};
        log_sources(log);
        return wrong_bytes_in(s, log);
    };
    return static_cast<double>(sonde::validate(
        s.group, repetition, [&](std::size_t) { write_contents(s); }, verify, rounds));
}

/// The loop of n repetitions is timed as a whole. `moved`: by a rank in a repetition, of messages of one byte.
template <class Communication>
work make_work(setting const& s, Communication communication, sonde::traffic moved) {
    moved.bytes *= s.bytes;
    auto const measure = [&s, communication, moved](std::size_t n) -> result {
        auto const plan = sonde::plan<sonde::mpi::wtime, sonde::samples, start_barrier>{}
                              .warmup(warm_up_of(n))
                              .batch(n)
                              .until(sonde::samples{1})
                              .keep({.rank_means = true});
        communication_pattern pattern{transport_of(s), communication, moved};
        return {sonde::run(s.group, plan, pattern, {s.test.name, {{"bytes", s.bytes}, {"processes", s.group.size()}}})};
    };
    auto const defects = [&s, communication, moved] {
        communication_pattern pattern{transport_of(s), communication, moved};
        auto logged = communication;
        auto const repetition = [&] {
            pattern();
            pattern.complete();
        };
        return wrong_bytes(s, repetition, [&](source_log& log) { logged(log); });
    };
    return {measure, defects};
}

bool even(int ranks) { return ranks % 2 == 0; }
bool several(int ranks) { return ranks > 1; }
std::string plane(int ranks) { return " (" + plane_of(ranks).text() + ")"; }
std::string space(int ranks) { return " (" + space_of(ranks).text() + ")"; }

ping_pong pongs(int rank, int ranks) { return {sonde::pair_of(rank, ranks / 2)}; }
ping_ping pings(int rank, int ranks) { return {(rank + ranks / 2) % ranks}; }
unirandom one_way(int rank, int ranks) { return {rank, ranks}; }
birandom both_ways(int rank, int ranks) { return {rank, ranks}; }
corandom shuffled(int rank, int ranks) { return {rank, random_ring{ranks}}; }
stencil in_plane(int rank, int ranks) { return {plane_of(ranks).neighbors(rank)}; }
stencil in_space(int rank, int ranks) { return {space_of(ranks).neighbors(rank)}; }
ring_replace in_ring(int rank, int ranks) { return {(rank + 1) % ranks, (rank + ranks - 1) % ranks}; }

/// The `make` of a row, from the communication of a rank. `Messages`: number of messages that a rank sends in a
/// repetition, the mean in random communications. `Hops`: 2 for the ranks of a pair that alternate.
template <auto CommunicationOf, std::size_t Messages = 1, int Hops = 1>
work make(setting& s) {
    return make_work(s, CommunicationOf(s.group.rank(), s.group.size()), {Messages, Messages, Hops});
}

} // namespace

std::vector<benchmark> rows() {
    constexpr auto unfit = "is invalid for % processes";
    // clang-format off
    return {
        {.name = "PingPong", .make = make<pongs, 1, 2>, .fits = even, .unfit = unfit},
        {.name = "PingPing", .make = make<pings>, .fits = even, .unfit = unfit},
        {.name = "Unirandom", .make = make<one_way>, .fits = several},
        {.name = "Birandom", .make = make<both_ways, 2>, .fits = several, .unfit = unfit},
        {.name = "Corandom", .make = make<shuffled>, .fits = several, .unfit = unfit},
        {.name = "Stencil2D", .make = make<in_plane, 4>, .needs = buffers_for<4, 4>, .fits = fits_plane, .layout = plane,
         .unfit = unfit},
        {.name = "Stencil3D", .make = make<in_space, 6>, .needs = buffers_for<6, 6>, .fits = fits_space, .layout = space,
         .unfit = unfit},
        {.name = "SendRecv_Replace", .make = make<in_ring>, .fits = several,
         .unfit = "is invalid for % process"},
    };
    // clang-format on
}

} // namespace imb::p2p
