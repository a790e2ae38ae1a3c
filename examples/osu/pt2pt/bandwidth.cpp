// SPDX-License-Identifier: BSL-1.0
// osu_bw, osu_bibw, both also with persistent requests, and osu_bw_fan_in, osu_bw_fan_out: windows of messages in one
// direction, in both, and between the ranks of one node and those of all others.
#include "osu/pt2pt/bandwidth.hpp"

#include "osu/pt2pt/pt2pt_driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace osu {

namespace {

/// Windows to the other rank, and a reply to each; `make_link(at, peer)` is the link of a point.
template <class MakeLink>
void sweep_one_way(pt2pt_driver& d, MakeLink const& make_link) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    window_reply reply{d.world(), pair.peer};
    d.each_point([&](point const& at) {
        return d.report(at, d.run(at, window_plan, [&](auto out, auto in, auto path) {
            return sonde::stream{
                path(make_link(at, pair.peer)), pair.role, at.window, out, in, reply.link(), reply.buffer(),
                sonde::overlapping_receives};
        }));
    });
}

/// Windows in both directions at once; `make_link(at, peer, tags)` is the link of a point, `tag` that of the responder.
template <class MakeLink>
void sweep_both_ways(pt2pt_driver& d, int tag, MakeLink const& make_link) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    auto const tags = pair.role == sonde::role::initiator ? sonde::mpi::tags{100, tag} : sonde::mpi::tags{tag, 100};
    d.each_point([&](point const& at) {
        return d.report(at, d.run(at, window_plan, [&](auto out, auto in, auto path) {
            return sonde::bidirectional{
                path(make_link(at, pair.peer, tags)), pair.role, at.window, out, in, sonde::directions::both,
                sonde::overlapping_receives};
        }));
    });
}

void sweep_bw(pt2pt_driver& d) {
    sweep_one_way(d, [&](point const& at, int peer) {
        return sonde::mpi::async_link{d.world(), peer, 100, at.elements()};
    });
}
void sweep_bw_persistent(pt2pt_driver& d) {
    sweep_one_way(d, [&](point const& at, int peer) {
        return sonde::mpi::persistent_link{d.world(), peer, 100, at.elements(), at.window};
    });
}
void sweep_bibw(pt2pt_driver& d) {
    sweep_both_ways(d, 10, [&](point const& at, int peer, sonde::mpi::tags tags) {
        return sonde::mpi::async_link{d.world(), peer, tags, at.elements()};
    });
}
void sweep_bibw_persistent(pt2pt_driver& d) {
    sweep_both_ways(d, 101, [&](point const& at, int peer, sonde::mpi::tags tags) {
        return sonde::mpi::persistent_link{d.world(), peer, tags, at.elements(), at.window};
    });
}

/// Of each size a window of messages to or from every peer, and then a reply of one byte. The ranks of the first node
/// have the role `first`.
void sweep_fan(pt2pt_driver& d, sonde::role first) {
    auto const nodes = nodes_of(d.world());
    auto const fan = fan_of(d.world().rank(), nodes);
    auto const others = first == sonde::role::initiator ? sonde::role::responder : sonde::role::initiator;
    std::array<std::byte, 1> reply{};
    d.each_point([&](point at) {
        at.peers = nodes.size() - 1;
        return d.report(at, d.run(at, window_plan, [&](auto out, auto in, unstaged_path auto path) {
            auto const messages = at.window * fan.peers.size();
            sonde::mpi::multi_peer_link link{d.world(), fan.peers, 100, at.elements()};
            sonde::mpi::multi_peer_link back{d.world(), fan.peers, 101};
            return sonde::with_traffic{sonde::traffic{messages * out.size(), messages, 1},
                                       sonde::stream{path(std::move(link)), fan.parent ? first : others, at.window, out,
                                                     in, std::move(back), sonde::slice{reply},
                                                     sonde::overlapping_receives}};
        }));
    });
}

program windows(char const* name, char const* title) {
    return {.name = name,
            .title = title,
            .moved_by = mpi_library,
            .accepted = bandwidth_options | option_name::beside,
            .shows = metric::bandwidth};
}

suite::named_program fan_program(char const* name, sonde::role first) {
    return named(
        {.name = name,
         .title = "OSU MPI Bandwidth Test",
         .moved_by = mpi_library,
         .accepted = (latency_options - validation_options - option_set{option_name::bit_check, option_name::staged}) |
                     option_name::window_size,
         .shows = metric::congestion,
         .needs = ranks::at_least_two},
        {.fan = true}, [first](pt2pt_driver& d) { sweep_fan(d, first); });
}

} // namespace

std::vector<suite::named_program> bandwidth_programs() {
    return {named(windows("osu_bw", "OSU MPI Bandwidth Test"), {.initiator_receives = false}, sweep_bw),
            named(windows("osu_bw_persistent", "OSU MPI Bandwidth Persistent Test"),
                  {.initiator_receives = false, .persistent = true}, sweep_bw_persistent),
            named(windows("osu_bibw", "OSU MPI Bi-Directional Bandwidth Test"), {}, sweep_bibw),
            named(windows("osu_bibw_persistent", "OSU MPI Bi-Directional Bandwidth Persistent Test"),
                  {.persistent = true}, sweep_bibw_persistent),
            fan_program("osu_bw_fan_in", sonde::role::responder),
            fan_program("osu_bw_fan_out", sonde::role::initiator)};
}

} // namespace osu
