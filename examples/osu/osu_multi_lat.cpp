// SPDX-License-Identifier: BSL-1.0
// osu_latency between many pairs at once, all ranks brought together before every exchange.
#include "launch.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/ping_pong.hpp>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_multi_lat",
                             .title = "OSU MPI Multi Latency Test",
                             .letters = osu::latency_letters,
                             .smallest = 0,
                             .needs = osu::ranks::even,
                             .suffixed = false};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), bench.world().size() / 2);
        auto const pattern = [&](auto out, auto in, sonde::mpi::elements as, auto through) {
            return sonde::ping_pong{through(sonde::mpi::link{bench.world(), pair.peer, 1, as}), pair.role, out, in};
        };
        for (auto const& type : bench.types()) {
            bench.begin(type);
            for (auto const size : bench.sizes(type)) {
                osu::spot const at{type, size};
                auto const plan = bench.plan(size, osu::start::barrier);
                if (!bench.report(size, bench.run(at, plan, pattern))) break;
            }
        }
    });
}
