// SPDX-License-Identifier: BSL-1.0
// Half a round trip of blocking sends and receives between two ranks.
#include "osu/pt2pt/driver.hpp"
#include "osu/pt2pt/objects.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_latency",
                             .title = "OSU MPI Latency Test",
                             .accepted = osu::latency_options,
                             .smallest = 0,
                             .objects = true};
    return osu::launch(argc, argv, about, [](osu::pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), 1);
        osu::sweep_plan const plan{
            .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = osu::before_each_size};
        auto const sent = d.options().message;
        if (sent != osu::payload::bytes) d.table().line("# Payload: " + name(sent) + ".");
        d.each_point([&](osu::point const& at) {
            if constexpr (osu::has_boost_mpi())
                if (sent != osu::payload::bytes) return d.report(at, osu::run_objects(d, at, plan, pair));
            return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
                sonde::mpi::link const link{d.world(), pair.peer, 1, at.elements()};
                return sonde::ping_pong{path(link), pair.role, out, in};
            }));
        });
    });
}
