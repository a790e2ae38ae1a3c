// SPDX-License-Identifier: BSL-1.0
// osu_bw between many pairs at once, all ranks brought together before every window.
#include "launch.hpp"
#include "sweeps.hpp"
#include "token.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/stream.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_mbw_mr",
                             .title = "OSU MPI Multiple Bandwidth / Message Rate Test",
                             .letters = "pWRximVhvbdcuGDPTIz",
                             .shows = osu::figure::rate,
                             .counted = osu::rate_counts,
                             .needs = osu::ranks::at_least_two,
                             .initiator_receives = false,
                             .blank_line = false,
                             .suffixed = false};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pairs = osu::announce_pairs(bench);
        auto const pair = sonde::pair_of(bench.world().rank(), pairs);
        osu::token back{bench.world(), pair.peer};
        auto const measured = [&](osu::spot const& at) {
            return bench.run(
                at, bench.plan(at.size, osu::start::barrier),
                [&](auto out, auto in, sonde::mpi::elements as, auto through) {
                    sonde::mpi::async_link link{bench.world(), pair.peer, 100, as};
                    return sonde::stream{
                        through(std::move(link)),   pair.role, at.window, out, in, back.link(), back.buffer(),
                        sonde::overlapping_receives};
                });
        };
        for (auto const& type : bench.types())
            if (bench.asked().vary_window) osu::sweep_windows(bench, type, measured);
            else osu::sweep_sizes(bench, type, measured);
    });
}
