// SPDX-License-Identifier: BSL-1.0
// Windows of non-blocking sends to one rank, which replies to each window with one byte.
#include "osu/pt2pt/driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_bw",
                             .title = "OSU MPI Bandwidth Test",
                             .accepted = osu::bandwidth_options,
                             .shows = osu::metric::bandwidth,
                             .initiator_receives = false};
    return osu::launch(argc, argv, about, [](osu::pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), 1);
        osu::window_reply reply{d.world(), pair.peer};
        osu::sweep_plan const plan{
            .iterations = 100, .warmup = 10, .large = {20, 2}, .synchronize = osu::before_each_size};
        d.each_point([&](osu::point const& at) {
            return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
                sonde::mpi::async_link link{d.world(), pair.peer, 100, at.elements()};
                return sonde::stream{
                    path(std::move(link)),      pair.role, at.window, out, in, reply.link(), reply.buffer(),
                    sonde::overlapping_receives};
            }));
        });
    });
}
