// SPDX-License-Identifier: BSL-1.0
// osu_latency with persistent requests, created once per size.
#include "osu/pt2pt/driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_latency_persistent",
                             .title = "OSU MPI Latency Persistent Test",
                             .accepted = osu::latency_options,
                             .smallest = 0,
                             .persistent = true};
    return osu::launch(argc, argv, about, [](osu::pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), 1);
        osu::sweep_plan const plan{
            .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = osu::before_each_size};
        d.each_point([&](osu::point const& at) {
            return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
                sonde::mpi::persistent_link link{d.world(), pair.peer, 1, at.elements()};
                return sonde::ping_pong{path(std::move(link)), pair.role, out, in};
            }));
        });
    });
}
