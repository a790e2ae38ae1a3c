// SPDX-License-Identifier: BSL-1.0
// Windows of non-blocking sends both ways at once.
#include "launch.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/bidirectional.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_bibw",
                             .title = "OSU MPI Bi-Directional Bandwidth Test",
                             .letters = osu::bandwidth_letters,
                             .shows = osu::figure::bandwidth,
                             .counted = osu::bandwidth_counts};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), 1);
        auto const window = bench.asked().window;
        auto const tags = pair.role == sonde::role::initiator ? sonde::mpi::tags{100, 10} : sonde::mpi::tags{10, 100};
        auto const pattern = [&](auto out, auto in, sonde::mpi::elements as, auto through) {
            sonde::mpi::async_link link{bench.world(), pair.peer, tags, as};
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
