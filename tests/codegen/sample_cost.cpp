// SPDX-License-Identifier: BSL-1.0

// The cost of a sample in clock readings, MPI calls and allocations: exact counts, the same in every run.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "counted.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/sonde.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/timeline.hpp>
#include <sonde/timeline/recorded.hpp>

#include <malloc.h>
#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t samples = 50, batch = 10;
using sonde::no_peer; // calls to this peer return at once, on any number of ranks

/// Stores the counters at each reading, in preallocated memory.
struct counting_clock {
    std::vector<counters>* readings;

    std::chrono::nanoseconds now() const {
        readings->push_back(so_far);
        return std::chrono::nanoseconds{1000 * static_cast<int>(readings->size())};
    }
    sonde::clock_properties properties() const { return {}; }
};

/// The counters at each clock reading while `pattern` is measured: begin and end of each sample in turn.
template <class Sync, class P, class Rule = sonde::samples>
std::vector<counters> readings_of(sonde::mpi::group& ranks, Sync synchronize, P&& pattern, Rule rule = {samples}) {
    std::vector<counters> readings;
    readings.reserve(100'000);
    auto const plan = sonde::plan<>{}.warmup(0).batch(batch).until(rule).synchronized(synchronize);
    (void)sonde::run(ranks, plan.timed_by(counting_clock{&readings}), pattern);
    return readings;
}

/// The number of samples with an allocation, or with a number of MPI calls other than `calls`.
std::size_t samples_with_other_cost(std::vector<counters> const& readings, long calls) {
    std::size_t unlike = 0;
    for (std::size_t i = 0; i != readings.size(); i += 2) {
        auto const &begin = readings[i], &end = readings[i + 1];
        if (end.allocations != begin.allocations || end.mpi_calls != begin.mpi_calls + calls) ++unlike;
    }
    return unlike;
}

struct parallel {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    sonde::host_allocation memory{4096};
    sonde::slice eight = memory.first(8);
    sonde::host_allocation window_memory{64 * sonde::host_allocation::stride_of(8)};
    sonde::rotating window = window_memory.distinct_regions(8, 64);
};

} // namespace

TEST_CASE_FIXTURE(parallel, "a sample costs two readings of the clock and nothing else") {
    auto const readings = readings_of(ranks, sonde::no_sync{}, [] {});
    CHECK(readings.size() == 2 * samples);
    CHECK(readings.front() == readings.back()); // nothing between samples either
}

TEST_CASE_FIXTURE(parallel, "a barrier before each sample is outside the clock") {
    auto const readings = readings_of(ranks, sonde::barrier_each{}, [] {});
    CHECK(samples_with_other_cost(readings, 0) == 0);
    CHECK(readings.back().mpi_calls == readings.front().mpi_calls + static_cast<long>(samples) - 1);
}

TEST_CASE_FIXTURE(parallel,
                  "a rule that evaluates the time costs one reading an evaluation, and one before the first sample") {
    auto const readings = readings_of(
        ranks, sonde::no_sync{}, [] {}, sonde::relative_error{0.01});
    REQUIRE(readings.size() == 1 + 2 * 47 + 3);      // equal times: evaluations at 30, 38 and 47 samples
    CHECK(readings[1] == readings[2 * 30]);          // nothing between the samples of the first block
    CHECK(readings[62] == readings[62 + 2 * 8 - 1]); // nor of the second
    CHECK(readings[79] == readings[79 + 2 * 9 - 1]); // nor of the third
}

TEST_CASE_FIXTURE(parallel, "a synchronized start is a barrier and a reduction, and allocates nothing") {
    auto const readings = readings_of(ranks, sonde::synchronized_start{ranks}, [] {});
    REQUIRE(readings.size() >= 2 * samples); // more if a rank was late
    auto const &begin = readings[0], &end = readings[2 * samples - 1];
    CHECK(end.allocations == begin.allocations);
    CHECK(end.mpi_calls == begin.mpi_calls + 2 * (static_cast<long>(samples) - 1));
}

TEST_CASE_FIXTURE(parallel, "a ping-pong is a send and a receive") {
    auto const who = ranks.rank() == 0 ? sonde::role::initiator : sonde::role::responder;
    sonde::ping_pong pattern{sonde::mpi::link{ranks, no_peer}, who, eight, eight};
    CHECK(samples_with_other_cost(readings_of(ranks, sonde::no_sync{}, pattern), 2 * batch) == 0);
}

TEST_CASE_FIXTURE(parallel,
                  "samples that are recorded in a timeline cost what others do; a recorded link reads the clock") {
    sonde::timeline timeline{{.events = 16}};
    auto& track = timeline.add_track("main");
    auto const who = sonde::role::initiator;
    sonde::ping_pong pattern{sonde::mpi::link{ranks, no_peer}, who, eight, eight};
    sonde::recorded recorded{track, "ping-pong", std::move(pattern)};
    auto const readings = readings_of(ranks, sonde::no_sync{}, recorded);
    CHECK(readings.size() == 2 * samples);
    CHECK(samples_with_other_cost(readings, 2 * batch) == 0);
    CHECK(track.size() + track.dropped() == samples);

    sonde::recorded_link link{track, sonde::mpi::link{ranks, no_peer}, no_peer};
    sonde::ping_pong messages{std::move(link), who, eight, eight};
    CHECK(samples_with_other_cost(readings_of(ranks, sonde::no_sync{}, messages), 2 * batch) == 0);
}

TEST_CASE_FIXTURE(parallel, "a window is its sends, one wait and the token") {
    sonde::stream pattern{sonde::mpi::async_link{ranks, no_peer}, sonde::role::initiator, 64, eight, window,
                          sonde::mpi::link{ranks, no_peer},       memory.first(1)};
    CHECK(samples_with_other_cost(readings_of(ranks, sonde::no_sync{}, pattern), (64 + 1 + 1) * batch) == 0);
}

TEST_CASE_FIXTURE(parallel, "a window of persistent requests is one start and one wait") {
    sonde::mpi::persistent_link link{ranks, no_peer, {}, {}, 64};
    sonde::bidirectional pattern{std::move(link), sonde::role::initiator, 64, eight, window};
    CHECK(samples_with_other_cost(readings_of(ranks, sonde::no_sync{}, pattern), 2 * batch) == 0);
}

TEST_CASE_FIXTURE(parallel, "samples of a comparison cost their own calls and a barrier each, and allocate nothing") {
    sonde::ping_pong pattern{sonde::mpi::link{ranks, no_peer}, sonde::role::initiator, eight, eight};
    std::vector<counters> readings;
    readings.reserve(1000);
    auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{samples}).timed_by(counting_clock{&readings});
    (void)sonde::compare(ranks, plan, pattern, [&] { pattern(); });
    REQUIRE(readings.size() == 2 * 2 * samples);
    CHECK(samples_with_other_cost(readings, 2) == 0);
    CHECK(readings.back().allocations == readings.front().allocations);
    CHECK(readings.back().mpi_calls == readings.front().mpi_calls + 2 * 3 * static_cast<long>(samples) - 1);
}

TEST_CASE("a pass through a probe's scope reads the clock twice and makes no other call, also with a timeline and a "
          "monitor") {
    std::vector<counters> readings;
    readings.reserve(1000);
    sonde::basic_probe probe{counting_clock{&readings}};
    auto& scope = probe.scope("work", {.bytes = 8});
    CHECK(readings.size() == 1); // the time when the probe was made
    readings.clear();
    for (std::size_t i = 0; i != samples; ++i) auto const pass = scope.enter();
    CHECK(readings.size() == 2 * samples);
    CHECK(readings.front() == readings.back());

    sonde::timeline timeline{{.events = 16}};
    probe.record_in(timeline.add_track("main"));
    sonde::scope_table table;
    probe.publish_in(table);
    readings.clear();
    for (std::size_t i = 0; i != samples; ++i) auto const pass = scope.enter();
    CHECK(readings.size() == 2 * samples);
    CHECK(readings.front() == readings.back());
}

TEST_CASE("constructing a scope allocates at most 4 KiB") {
    sonde::probe probe;
    auto const before = mallinfo2().uordblks;
    for (int i = 0; i != 100; ++i) probe.scope("a name that does not lie within the string: " + std::to_string(i));
    CHECK(mallinfo2().uordblks - before > 100 * 2048);
    CHECK(mallinfo2().uordblks - before <= 100 * 4096);
}

TEST_CASE("the counters see MPI calls and allocations") {
    auto const before = so_far;
    sonde::mpi::group{MPI_COMM_SELF}.barrier();
    sonde::host_allocation{64}.fill(std::byte{1});
    CHECK(so_far.mpi_calls > before.mpi_calls);
    CHECK(so_far.allocations > before.allocations);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const failed = doctest::Context{argc, argv}.run();
    MPI_Finalize();
    return failed;
}
