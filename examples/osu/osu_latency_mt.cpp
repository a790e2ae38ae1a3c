// SPDX-License-Identifier: BSL-1.0
// Half a round trip between threads of two ranks, which take the iterations in turn.
#include "launch.hpp"
#include "sides.hpp"
#include "turn_measure.hpp"
#include "turns.hpp"

#include <sonde/groups/threads.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/ping_pong.hpp>

#include <string>

namespace {

osu::crew_sizes threads(osu::options const& asked) {
    return osu::crew_of(asked, osu::thread_crew, osu::thread_crew.senders);
}

std::string announce(osu::options const& asked) {
    auto const [senders, receivers] = threads(asked);
    return "# Number of Sender threads: " + std::to_string(senders) +
           " \n# Number of Receiver threads: " + std::to_string(receivers);
}

/// All sizes, on one thread.
void sweep(osu::bench& bench, auto& me, sonde::pairing pair) {
    auto const [senders, receivers] = threads(bench.asked());
    auto const first = me.thread() == 0, sends = pair.role == sonde::role::initiator;
    auto data = bench.another_payload(me.rank());
    osu::turns const mine{senders, receivers, pair.role, me.thread()};
    auto const pattern = [&](auto out, auto in, sonde::mpi::elements as) {
        return osu::taking_turns{
            mine, [&](osu::marks m) {
                auto const tags = sends ? sonde::mpi::tags{m.data, m.reply} : sonde::mpi::tags{m.reply, m.data};
                return sonde::ping_pong{sonde::mpi::link{bench.world(), pair.peer, tags, as}, pair.role, out, in};
            }};
    };
    for (auto const& type : bench.types()) {
        if (first) bench.begin(type);
        for (auto const size : bench.sizes(type)) {
            osu::spot const at{type, size};
            auto const plan = bench.plan(size, osu::start::one_barrier, senders);
            auto found = osu::measure(me, bench.about(), bench.asked(), data, bench.layout(), at, plan, pattern);
            found.point.parameters.emplace_back("senders", senders);
            found.point.parameters.emplace_back("receivers", receivers);
            if (first) bench.report(size, found);
            if (found.errors.value_or(0) != 0) break;
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_latency_mt",
                             .title = "OSU MPI Multi-threaded Latency Test",
                             .letters = "hvmxitcuGDTIz",
                             .smallest = 0,
                             .t_means = osu::probes::threads,
                             .thread_multiple = true,
                             .announce = announce};
    return osu::launch(argc, argv, about, [](osu::bench& bench) {
        auto const pair = sonde::pair_of(bench.world().rank(), 1);
        auto const [senders, receivers] = threads(bench.asked());
        sonde::thread_team team{bench.world(), pair.role == sonde::role::initiator ? senders : receivers};
        team.run(
            [&](auto& me) { sonde::mpi::abort_on_exception(bench.world().comm(), [&] { sweep(bench, me, pair); }); });
    });
}
