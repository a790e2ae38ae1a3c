// SPDX-License-Identifier: BSL-1.0
// Bandwidth of messages between the ranks of one node and the ranks of all others: of each size a window of messages
// to or from every peer, and then a reply of one byte. osu_bw_fan_in: the first node receives; osu_bw_fan_out: it
// sends.
#include "osu/programs.hpp"
#include "osu/pt2pt/driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

int osu::run_fan(int argc, char** argv, char const* direction) {
    auto const name = std::string{"osu_bw_fan_"} + direction;
    osu::program const about{.name = name,
                             .title = "OSU MPI Bandwidth Test",
                             .accepted =
                                 (osu::latency_options - osu::validation_options) | osu::option_name::window_size,
                             .shows = osu::metric::congestion,
                             .needs = osu::ranks::several_nodes};
    return osu::launch(argc, argv, about, [&](osu::pt2pt_driver& d) {
        auto const nodes = osu::nodes_of(d.world());
        auto const fan = osu::fan_of(d.world().rank(), nodes);
        auto const role = fan.parent == (name == "osu_bw_fan_out") ? sonde::role::initiator : sonde::role::responder;
        std::array<std::byte, 1> reply{};
        osu::sweep_plan const plan{
            .iterations = 100, .warmup = 10, .large = {20, 2}, .synchronize = osu::before_each_size};
        d.each_point([&](osu::point at) {
            at.peers = nodes.size() - 1;
            return d.report(at, d.run(at, plan, [&](auto out, auto in, osu::unstaged_path auto path) {
                auto const messages = at.window * fan.peers.size();
                sonde::mpi::multi_peer_link link{d.world(), fan.peers, 100, at.elements()};
                sonde::mpi::multi_peer_link back{d.world(), fan.peers, 101};
                return sonde::with_traffic{sonde::traffic{messages * out.size(), messages, 1},
                                           sonde::stream{path(std::move(link)), role, at.window, out, in,
                                                         std::move(back), sonde::slice{reply},
                                                         sonde::overlapping_receives}};
            }));
        });
    });
}
