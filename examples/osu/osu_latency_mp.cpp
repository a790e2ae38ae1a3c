// SPDX-License-Identifier: BSL-1.0
// As osu_latency, while processes forked off after MPI started sleep on both sides.
#include "children.hpp"
#include "launch.hpp"
#include "sides.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/sync.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

osu::crew_sizes forked(osu::options const& asked) { return osu::crew_of(asked, {2, 2}, 0); }

std::string announce(osu::options const& asked) {
    auto const [senders, receivers] = forked(asked);
    return "# Number of forked processes in sender: " + std::to_string(senders) +
           "\n# Number of forked processes in receiver: " + std::to_string(receivers);
}

} // namespace

int main(int argc, char** argv) {
    setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0); // Open MPI would warn of what is asked for here
    osu::program const about{.name = "osu_latency_mp",
                             .title = "OSU MPI Multi-process Latency Test",
                             .letters = "hvmxitcuGDPTIz",
                             .smallest = 0,
                             .t_means = osu::probes::processes,
                             .narrow_value = true,
                             .announce = announce};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), 1);
        auto const [senders, receivers] = forked(bench.asked());
        auto const here = pair.role == sonde::role::initiator ? senders : receivers;
        std::vector<osu::child> const children(static_cast<std::size_t>(here));
        auto const pattern = [&](auto out, auto in, sonde::mpi::elements as) {
            return sonde::ping_pong{sonde::mpi::link{bench.world(), pair.peer, 1, as}, pair.role, out, in};
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
