// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../timeline_file.hpp"
#include "application.hpp"
#include "clock_options.hpp"

#include <sonde/clock/global_clock.hpp>
#include <sonde/mpi.hpp>
#include <sonde/probe.hpp>
#include <sonde/sonde.hpp>
#include <sonde/timeline/recorded.hpp>
#include <sonde/timeline/write.hpp>

#include <cstddef>
#include <cstdio>
#include <string>

using namespace sonde;

namespace {

constexpr int steps = 20;

/// A file in the folder of the test, of this number of ranks.
std::string path() { return "mpi_timeline_" + std::to_string(application::size()) + ".json"; }

/// Each step sends to the next rank and receives from the previous one, in a scope; pairs of ranks play ping-pong.
void communicate(mpi::group& ranks, timeline& events) {
    auto const n = ranks.size(), next = (ranks.rank() + 1) % n, previous = (ranks.rank() + n - 1) % n;
    auto& track = events.add_track("main");
    probe own;
    own.record_in(track);
    auto& halo = own.scope("step").scope("halo", {.bytes = 8});
    host_allocation out{8}, in{8};
    recorded_link to{track, mpi::async_link{ranks, next, 1}, next, 1};
    recorded_link from{track, mpi::async_link{ranks, previous, 1}, previous, 1};
    auto source = send_buffer(to, out.first(8)), sink = recv_buffer(from, in.first(8));
    for (int i = 0; i != steps; ++i) {
        auto const pass = halo.enter();
        from.irecv(sink.next());
        to.isend(source.next());
        to.wait_all();
        from.wait_all();
    }
    auto const pair = pair_of(ranks.rank(), n / 2);
    recorded_link link{track, mpi::link{ranks, pair.peer}, pair.peer};
    auto const plan = sonde::plan<>{}.warmup(0).until(samples{10});
    (void)run(ranks, plan, recorded{track, "ping-pong", ping_pong{link, pair.role, out.first(8), in.first(8)}});
}

} // namespace

TEST_CASE("timeline: the messages of all ranks are arrows, and none is received before it was sent") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<std::size_t>(ranks.size());
    // Ranks that pretend to have separate clocks: their readings are those of one clock, so the bound is put to the
    // test.
    global_clock clock{ranks, steady_clock{}, mpi::control_channel{ranks}, std::to_string(ranks.rank()), little};
    timeline events;
    communicate(ranks, events);
    auto const found = write_timeline(ranks, events, clock, path());
    // A step is a scope, a send, its wait, a wait and an arrival; a ping-pong is two messages; then the samples.
    auto const all = n * (steps * 5 + 10) + 2 * (n / 2) * 2 * 10;
    CHECK(found.events == all);
    CHECK(found.dropped == 0);
    bool good = true;
    if (ranks.rank() == 0) {
        auto const file = timeline_file::read(path());
        auto const bound = file.about("clock_error_bound_us").get<double>();
        good = timeline_file::check_arrows(file, 2 * bound) == n * steps + (n / 2) * 2 * 10 &&
               file.sends.size() == file.receives.size() && file.tracks.size() == n && (n == 1 || bound > 0) &&
               bound == found.error_bound.count() * 1e6;
        std::remove(path().c_str());
    }
    good = application::everywhere(good);
    CHECK(good);
}
