// SPDX-License-Identifier: BSL-1.0
// osu_latency between many pairs at once, with a barrier before every exchange.
#include "osu/pt2pt/driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_multi_lat",
                             .title = "OSU MPI Multi Latency Test",
                             .accepted = osu::latency_options,
                             .smallest = 0,
                             .needs = osu::ranks::even,
                             .suffixed = false};
    return osu::launch(argc, argv, about, [](osu::pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), d.world().size() / 2);
        osu::sweep_plan const plan{
            .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = osu::before_each_iteration};
        d.each_point([&](osu::point const& at) {
            return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
                sonde::mpi::link const link{d.world(), pair.peer, 1, at.elements()};
                return sonde::ping_pong{path(link), pair.role, out, in};
            }));
        });
    });
}
