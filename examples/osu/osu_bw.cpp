// SPDX-License-Identifier: BSL-1.0
// Windows of non-blocking sends to one rank, each answered by one byte.
#include "launch.hpp"
#include "token.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/stream.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_bw",
                             .title = "OSU MPI Bandwidth Test",
                             .letters = osu::bandwidth_letters,
                             .shows = osu::figure::bandwidth,
                             .counted = osu::bandwidth_counts,
                             .initiator_receives = false};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), 1);
        auto const window = bench.asked().window;
        osu::token back{bench.world(), pair.peer};
        auto const pattern = [&](auto out, auto in, sonde::mpi::elements as, auto through) {
            sonde::mpi::async_link link{bench.world(), pair.peer, 100, as};
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
