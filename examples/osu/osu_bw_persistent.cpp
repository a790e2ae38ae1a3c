// SPDX-License-Identifier: BSL-1.0
// osu_bw with persistent requests, made once a size.
#include "launch.hpp"
#include "token.hpp"

#include <sonde/mpi/persistent_link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/stream.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_bw_persistent",
                             .title = "OSU MPI Bandwidth Persistent Test",
                             .letters = osu::bandwidth_letters,
                             .shows = osu::figure::bandwidth,
                             .counted = osu::bandwidth_counts,
                             .initiator_receives = false};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), 1);
        auto const window = bench.asked().window;
        osu::token back{bench.world(), pair.peer};
        auto const pattern = [&](auto out, auto in, sonde::mpi::elements as, auto through) {
            sonde::mpi::persistent_link link{bench.world(), pair.peer, 100, as, window};
            return sonde::stream{through(std::move(link)),   pair.role, window, out, in, back.link(), back.buffer(),
                                 sonde::overlapping_receives};
        };
        for (auto const& type : bench.types()) {
            bench.begin(type);
            for (auto const size : bench.sizes(type)) {
                osu::spot const at{type, size, window};
                if (!bench.report(size, bench.run(at, bench.plan(size), pattern))) break;
            }
        }
    });
}
