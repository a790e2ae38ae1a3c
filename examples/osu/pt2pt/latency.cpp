// SPDX-License-Identifier: BSL-1.0
// osu_latency, osu_latency_persistent, osu_multi_lat: half a round trip between two ranks, or between the two ranks of
// each of several pairs.
#include "osu/pt2pt/latency.hpp"

#include "osu/driver/osu_option_table.hpp"
#include "osu/pt2pt/boost_objects.hpp"
#include "osu/pt2pt/pt2pt_driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

namespace osu {

namespace {

/// Blocking sends and receives, or with `--payload` objects that Boost.MPI sends.
void sweep_latency(pt2pt_driver& d) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    auto const sent = d.options().message;
    if (sent != payload::bytes) d.table().line("# Payload: " + name(sent) + ".");
    d.each_point([&](point const& at) {
        if constexpr (has_boost_mpi())
            if (sent != payload::bytes) return d.report(at, run_objects(d, at, ping_pong_plan, pair));
        return d.report(at, d.run(at, ping_pong_plan, [&](auto out, auto in, auto path) {
            sonde::mpi::link const link{d.world(), pair.peer, 1, at.elements()};
            return sonde::ping_pong{path(link), pair.role, out, in};
        }));
    });
}

/// Persistent requests, created once per size.
void sweep_persistent(pt2pt_driver& d) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    d.each_point([&](point const& at) {
        return d.report(at, d.run(at, ping_pong_plan, [&](auto out, auto in, auto path) {
            sonde::mpi::persistent_link link{d.world(), pair.peer, 1, at.elements()};
            return sonde::ping_pong{path(std::move(link)), pair.role, out, in};
        }));
    });
}

/// Many pairs at once, with a barrier before every exchange.
void sweep_pairs(pt2pt_driver& d) {
    auto const pair = sonde::pair_of(d.world().rank(), d.world().size() / 2);
    auto plan = ping_pong_plan;
    plan.synchronize = before_each_iteration;
    d.each_point([&](point const& at) {
        return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
            sonde::mpi::link const link{d.world(), pair.peer, 1, at.elements()};
            return sonde::ping_pong{path(link), pair.role, out, in};
        }));
    });
}

} // namespace

std::vector<suite::named_program> latency_programs() {
    return {named({.name = "osu_latency",
                   .title = "OSU MPI Latency Test",
                   .moved_by = mpi_library,
                   .accepted = latency_options | option_name::beside | option_name::payload,
                   .smallest = 0},
                  {}, sweep_latency),
            named({.name = "osu_latency_persistent",
                   .title = "OSU MPI Latency Persistent Test",
                   .moved_by = mpi_library,
                   .accepted = latency_options | option_name::beside,
                   .smallest = 0},
                  {.persistent = true}, sweep_persistent),
            named({.name = "osu_multi_lat",
                   .title = "OSU MPI Multi Latency Test",
                   .moved_by = mpi_library,
                   .accepted = latency_options,
                   .smallest = 0,
                   .needs = ranks::even,
                   .style = {.suffixed = false}},
                  {}, sweep_pairs)};
}

} // namespace osu
