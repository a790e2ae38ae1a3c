// SPDX-License-Identifier: BSL-1.0
// osu_bibw with persistent requests, made once a size.
#include "launch.hpp"

#include <sonde/mpi/persistent_link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/bidirectional.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_bibw_persistent",
                             .title = "OSU MPI Bi-Directional Bandwidth Persistent Test",
                             .letters = osu::bandwidth_letters,
                             .shows = osu::figure::bandwidth,
                             .counted = osu::bandwidth_counts};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), 1);
        auto const window = bench.asked().window;
        auto const tags = pair.role == sonde::role::initiator ? sonde::mpi::tags{100, 101} : sonde::mpi::tags{101, 100};
        auto const pattern = [&](auto out, auto in, sonde::mpi::elements as, auto through) {
            sonde::mpi::persistent_link link{bench.world(), pair.peer, tags, as, window};
            return sonde::bidirectional{through(std::move(link)),   pair.role, window, out, in, sonde::directions::both,
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
