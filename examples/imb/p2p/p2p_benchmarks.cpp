// SPDX-License-Identifier: BSL-1.0
#include "imb/p2p/p2p.hpp"

#include "imb/p2p/communication.hpp"
#include "imb/p2p/transport.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>

namespace imb::p2p {

plan setting::timed_loop(std::size_t n) const {
    return plan{}
        .synchronized(start_barrier{})
        .warmup(repetitions::warm_up(n))
        .batch(n)
        .until(sonde::samples{1})
        .keep({.rank_means = true});
}

sonde::point setting::point() const { return {test.name, {{"bytes", bytes}, {"processes", group.size()}}}; }

mpi_transport setting::transport() const { return {group, options.touched, buffers.out(bytes), buffers.in(bytes)}; }

namespace {

/// Contents before a checked repetition: known bytes in the send buffers, their complements in the receive buffers.
void write_contents(setting const& s) {
    auto const me = s.group.rank();
    for (auto const message : s.buffers.out(s.bytes))
        for (std::size_t i = 0; i != s.bytes; ++i) message[i] = content(me, i);
    for (auto const message : s.buffers.in(s.bytes))
        for (std::size_t i = 0; i != s.bytes; ++i) message[i] = ~content(me, i);
}

/// Bytes that differ from those of the last source of each buffer.
std::size_t wrong_bytes_in(setting const& s, source_log const& log) {
    auto const where = log.in_place ? s.buffers.out(s.bytes) : s.buffers.in(s.bytes);
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
        source_log log{s.buffers.count()};
        log_sources(log);
        return wrong_bytes_in(s, log);
    };
    return static_cast<double>(sonde::validate(
        s.group, repetition, [&](std::size_t) { write_contents(s); }, verify, rounds));
}

template <class Communication>
work make_work(setting const& s, Communication communication) {
    sonde::traffic const moved{s.test.messages * s.bytes, s.test.messages, s.test.hops};
    auto const measure = [&s, communication, moved](std::size_t n) -> result {
        communication_pattern pattern{s.transport(), communication, moved};
        return {sonde::run(s.group, s.timed_loop(n), pattern, s.point())};
    };
    auto const defects = [&s, communication, moved] {
        communication_pattern pattern{s.transport(), communication, moved};
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
std::string no_layout(int) { return {}; }
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

/// A row's `make`, from the communication of a rank.
template <auto CommunicationOf>
work make(setting const& s) {
    return make_work(s, CommunicationOf(s.group.rank(), s.group.size()));
}

} // namespace

std::vector<benchmark> const& rows() {
    // clang-format off
    static std::vector<benchmark> const all{
        {.name = "PingPong", .fits = even, .layout = no_layout, .hops = 2, .make = make<pongs>},
        {.name = "PingPing", .fits = even, .layout = no_layout, .make = make<pings>},
        {.name = "Unirandom", .invalid = "invalid for", .fits = several, .layout = no_layout, .make = make<one_way>},
        {.name = "Birandom", .fits = several, .layout = no_layout, .messages = 2, .make = make<both_ways>},
        {.name = "Corandom", .fits = several, .layout = no_layout, .make = make<shuffled>},
        {.name = "Stencil2D", .fits = fits_plane, .layout = plane, .buffers = 4, .messages = 4, .make = make<in_plane>},
        {.name = "Stencil3D", .fits = fits_space, .layout = space, .buffers = 6, .messages = 6, .make = make<in_space>},
        {.name = "SendRecv_Replace", .processes = "process", .fits = several, .layout = no_layout,
         .make = make<in_ring>},
    };
    // clang-format on
    return all;
}

} // namespace imb::p2p
