// SPDX-License-Identifier: BSL-1.0
// Half a round trip of blocking sends and receives between two ranks.
#include "launch.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/ping_pong.hpp>

int main(int argc, char** argv) {
    osu::program const about{
        .name = "osu_latency", .title = "OSU MPI Latency Test", .letters = osu::latency_letters, .smallest = 0};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), 1);
        auto const pattern = [&](auto out, auto in, sonde::mpi::elements as, auto through) {
            return sonde::ping_pong{through(sonde::mpi::link{bench.world(), pair.peer, 1, as}), pair.role, out, in};
        };
        for (auto const& type : bench.types()) {
            bench.begin(type);
            for (auto const size : bench.sizes(type)) {
                osu::spot const at{type, size};
                if (!bench.report(size, bench.run(at, bench.plan(size), pattern))) break;
            }
        }
    });
}
