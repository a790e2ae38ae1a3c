// SPDX-License-Identifier: BSL-1.0
// The bandwidth at which ranks of one node send to the ranks of all others.
#include "fan.hpp"
#include "launch.hpp"

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_bw_fan_out",
                             .title = "OSU MPI Bandwidth Test",
                             .letters = "hvmxiWbdGDPTIz",
                             .shows = osu::figure::congestion,
                             .counted = osu::bandwidth_counts,
                             .needs = osu::ranks::several_nodes};
    return osu::launch(argc, argv, about, [](osu::bench& bench) { osu::measure_fan(bench, true); });
}
