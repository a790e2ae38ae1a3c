// SPDX-License-Identifier: BSL-1.0

// What all ranks did, and when: scopes, messages and samples in one file, which a browser draws.

#include "ring.hpp"

#include <sonde/clock/global_clock.hpp>
#include <sonde/mpi.hpp>
#include <sonde/probe.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/sonde.hpp>
#include <sonde/timeline/recorded.hpp>
#include <sonde/timeline/write.hpp>

#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

// [members]
/// What an application keeps to observe itself, as members of a class.
struct observation {
    sonde::mpi::group ranks;
    sonde::global_clock<sonde::steady_clock, sonde::mpi::control_channel> clock{ranks};  // one time for all ranks
    sonde::on_root<sonde::csv> report{ranks, [] { return sonde::csv{"timeline.csv"}; }}; // opened on rank 0 only
    sonde::timeline timeline{};                                // keeps the last 65,536 events of each track
    sonde::timeline_track& track = timeline.add_track("main"); // of this thread
    sonde::probe probe{};

    explicit observation(MPI_Comm comm) : ranks{comm} { // collective, as `clock` and `report` are
        probe.record_in(track);                         // from now on, the passes of all its scopes
    }
};
// [/members]

/// Work that takes longer on the last rank.
double smooth(std::vector<double>& u, int rounds) {
    for (; rounds != 0; --rounds)
        for (std::size_t i = 1; i + 1 < u.size(); ++i) u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
    return u[u.size() / 2];
}

/// 100 steps, each an exchange with both neighbors and work on the rank's numbers, which are returned.
std::vector<double> exchange_and_smooth(ring& neighbors, observation& seen) {
    auto &exchange = seen.probe.scope("exchange"), &work = seen.probe.scope("smooth");
    auto& track = seen.track;
    auto const rank = seen.ranks.rank(), n = seen.ranks.size();
    std::vector<double> u(neighbors.theirs().size(), 1.0);
    // [messages]
    sonde::recorded_messages to_right{track, (rank + 1) % n}, from_left{track, (rank + n - 1) % n};
    for (int i = 0; i != 100; ++i) {
        {
            auto const pass = exchange.enter();
            to_right.sent(); // an arrow from here to where the right neighbor has received
            neighbors.exchange();
            from_left.received();
        }
        auto const pass = work.enter();
        smooth(u, rank == n - 1 ? 4 : 1);
    }
    // [/messages]
    return u;
}

/// Round trips of 8 bytes between the halves of the ranks.
sonde::record measure_ping_pong(sonde::mpi::group& ranks, auto& track) {
    sonde::host_allocation out{8}, in{8};
    // [run]
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    sonde::recorded_link link{track, sonde::mpi::link{ranks, pair.peer}, pair.peer}; // its messages
    sonde::ping_pong messages{link, pair.role, out.first(8), in.first(8)};
    return sonde::run(ranks, sonde::plan<>{}, sonde::recorded{track, "ping-pong", std::move(messages)});
    // [/run]
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool correct = false;
    {
        ring neighbors{MPI_COMM_WORLD, 1024};
        observation seen{neighbors.comm()};
        auto const rank = seen.ranks.rank(), n = seen.ranks.size();
        auto const u = exchange_and_smooth(neighbors, seen);
        auto const record = measure_ping_pong(seen.ranks, seen.track);
        seen.report(record);

        // [write]
        auto const written =
            sonde::write_timeline(seen.ranks, seen.timeline, seen.clock, "timeline.json"); // collective
        if (rank == 0)
            std::printf("timeline.json: %zu events of %d ranks, %zu dropped; times within %.3g us\n", written.events, n,
                        written.dropped, written.error_bound.count() * 1e6);
        // [/write]
        // Of each rank: two scopes and two messages a step, and the samples; of a pair: two messages of each rank.
        auto const steps = 100u * 4u * static_cast<unsigned>(n), samples = 100u * static_cast<unsigned>(n);
        auto const trips = 4u * static_cast<unsigned>(n / 2) * 110u;
        correct = neighbors.correct() && written.events == steps + samples + trips && written.dropped == 0 &&
                  u[1] >= 0 && u[1] <= 1 && record.stop.samples == 100;
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
