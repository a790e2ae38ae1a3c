// SPDX-License-Identifier: BSL-1.0
#include "p2p_rows.hpp"

#include "contents.hpp"
#include "everyone_measures.hpp"
#include "exchange.hpp"
#include "p2p_patterns.hpp"
#include "setting.hpp"
#include "window.hpp"

#include <sonde/pattern.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/run.hpp>

#include <memory>

namespace imb {

namespace {

using sonde::mpi::all_ranks;

/// A repetition that sends everything from one region, and receives a message from one rank.
movement one_message(setting const& s, int from) {
    auto const span = s.bytes * s.spread;
    return {{{{0, span, all_ranks}, s.group.rank()}}, {{0, span, from, from, all_ranks}}};
}

/// A loop that is timed as a whole: `make(setting, out, in)` -> pattern, `from(setting)` -> whose message arrives.
template <class Make, class From>
work loop_of(setting& s, Make make, From from) {
    auto const measure = [&s, make](std::size_t n) -> outcome {
        return {sonde::run(s.group, s.whole(n), make(s, s.out(s.bytes), s.in(s.bytes)), s.point()), {}, {}};
    };
    auto const defects = [&s, make, from] {
        auto out = first_slot(s.sends, s.send, s), in = first_slot(s.receives, s.receive, s);
        auto const pattern = std::make_shared<decltype(make(s, out, in))>(make(s, out, in));
        return largest_deviation(
            s, {out.next(), in.next()}, [pattern] { (*pattern)(); },
            [&](std::size_t) { return one_message(s, from(s)); });
    };
    return {measure, defects};
}

/// PingPong and PingPing run on two ranks.
int partner(setting const& s) { return 1 - s.group.rank(); }
int left(setting const& s) { return (s.group.rank() + s.group.size() - 1) % s.group.size(); }

template <source From>
sourced_link link_of(setting const& s) {
    return {s.group, partner(s), From, s.elements_of(s.bytes)};
}

template <source From>
work make_ping_pong(setting& s) {
    auto const make = [](setting const& on, buffer out, buffer in) {
        return everyone_measures{sonde::ping_pong{link_of<From>(on), sonde::pair_of(on.group.rank(), 1).role, out, in}};
    };
    return loop_of(s, make, partner);
}

template <source From>
work make_ping_ping(setting& s) {
    auto const make = [](setting const& on, buffer out, buffer in) { return ping_ping{link_of<From>(on), out, in}; };
    return loop_of(s, make, partner);
}

work make_sendrecv(setting& s) {
    auto const make = [](setting const& on, buffer out, buffer in) {
        return sendrecv{{on.group, on.elements_of(on.bytes)}, out, in};
    };
    return loop_of(s, make, left);
}

lengths one_and_one(std::size_t size, std::size_t) { return {size, size}; }
lengths two_and_one(std::size_t size, std::size_t) { return {2 * size, size}; }

benchmark single(char const* name, work (*make)(setting&), double time_factor) {
    return {.name = name,
            .kind = family::single_transfer,
            .shows = columns::time_bandwidth,
            .make = make,
            .needs = one_and_one,
            .time_factor = time_factor};
}

benchmark parallel(char const* name, work (*make)(setting&), lengths (*needs)(std::size_t, std::size_t),
                   double factor) {
    return {.name = name,
            .kind = family::parallel_transfer,
            .shows = columns::range_bandwidth,
            .make = make,
            .needs = needs,
            .bandwidth_factor = factor};
}

benchmark window(char const* name, work (*make)(setting&), double factor) {
    return {.name = name,
            .kind = family::message_rate,
            .shows = columns::rate,
            .make = make,
            .needs = one_and_one,
            .bandwidth_factor = factor};
}

} // namespace

std::vector<benchmark> point_to_point() {
    return {single("PingPong", make_ping_pong<source::peer>, 0.5), single("PingPing", make_ping_ping<source::peer>, 1),
            parallel("Sendrecv", make_sendrecv, one_and_one, 2), parallel("Exchange", make_exchange, two_and_one, 4)};
}

std::vector<benchmark> more_point_to_point() {
    std::vector<benchmark> rows{single("PingPongSpecificSource", make_ping_pong<source::peer>, 0.5),
                                single("PingPongAnySource", make_ping_pong<source::any>, 0.5),
                                single("PingPingSpecificSource", make_ping_ping<source::peer>, 1),
                                single("PingPingAnySource", make_ping_ping<source::any>, 1),
                                window("Uniband", make_uniband, 1),
                                window("Biband", make_biband, 2)};
    for (auto& row : rows) row.by_default = false;
    return rows;
}

} // namespace imb
