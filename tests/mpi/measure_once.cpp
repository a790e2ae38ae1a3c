// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/measure.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

/// True if all ranks have the same series, to the last bit, and flags.
bool is_same_everywhere(record const& r) {
    mpi::group ranks{application::comm()};
    std::vector<double> mine{r.over_ranks.mean.count(), static_cast<double>(r.batch), r.flags.oversubscribed ? 1. : 0.};
    for (auto const t : r.series) mine.push_back(t.count());
    std::size_t longest = mine.size();
    broadcast(ranks, longest);
    if (!application::everywhere(longest == mine.size())) return false;
    auto theirs = mine;
    broadcast(ranks, std::span{theirs.data(), theirs.size()});
    return application::everywhere(theirs == mine);
}

} // namespace

TEST_CASE("a measurement in one call: a record that is equal on all ranks, and a report on rank 0") {
    int rank = 0, size = 0;
    PMPI_Comm_rank(application::comm(), &rank);
    PMPI_Comm_size(application::comm(), &size);
    std::size_t iterations = 0, reported = 0;
    auto const exchange = [&] {
        ++iterations;
        PMPI_Barrier(application::comm());
    };
    auto const found = mpi::measure(application::comm(), "halo", {.bytes = 48}, exchange, [&](record const& r) {
        ++reported;
        CHECK(r.point.name == "halo");
    });
    CHECK(reported == (rank == 0));
    CHECK(iterations > found.stop.samples * found.batch);
    CHECK(found.total.bytes == 48 * static_cast<std::size_t>(size));
    CHECK((found.stop.reason == stop_reason::precision || found.stop.reason == stop_reason::time_budget ||
           found.stop.reason == stop_reason::noise_floor));
    CHECK(is_same_everywhere(found));
}

TEST_CASE("in a measurement in one call no rank runs ahead of the others") {
    int rank = 0, size = 0;
    PMPI_Comm_rank(application::comm(), &rank);
    PMPI_Comm_size(application::comm(), &size);
    std::size_t ahead = 0;
    int i = 0; // rank 0 does not wait for its messages to be received, and the last rank is slow
    auto const found = mpi::measure(
        application::comm(), "one way",
        [&] {
            if (rank == 0 && size > 1) PMPI_Send(&i, 1, MPI_INT, size - 1, 0, application::comm());
            if (rank == 0 || rank != size - 1) return;
            PMPI_Recv(&i, 1, MPI_INT, 0, 0, application::comm(), MPI_STATUS_IGNORE);
            std::this_thread::sleep_for(std::chrono::microseconds{50});
            int is_there = 0;
            PMPI_Iprobe(0, 0, application::comm(), &is_there, MPI_STATUS_IGNORE);
            ahead += is_there != 0;
        },
        [](record const&) {});
    if (size > 1) CHECK(found.batch == 1);
    CHECK(ahead == 0);
    CHECK(found.total.bytes == 0);
}

TEST_CASE("a comparison in one call: alternatives by name, equal on all ranks, and a report on rank 0") {
    int rank = 0;
    PMPI_Comm_rank(application::comm(), &rank);
    std::size_t calls[2] = {}, reported = 0;
    auto const first = [&] { ++calls[0], PMPI_Barrier(application::comm()); };
    auto const found = mpi::compare(
        application::comm(),
        {{"one barrier", first},
         {"two barriers", [&] { ++calls[1], PMPI_Barrier(application::comm()), PMPI_Barrier(application::comm()); }}},
        [&](comparison const& of) {
            ++reported;
            CHECK(of.records.size() == 2);
        });
    CHECK(reported == (rank == 0));
    REQUIRE(found.records.size() == 2);
    CHECK(found.records[0].point.name == "one barrier");
    CHECK(found.records[1].point.name == "two barriers");
    CHECK(found.records[0].series.size() == found.records[1].series.size());
    CHECK(calls[0] != 0);
    CHECK(calls[1] != 0);
    for (auto const& r : found.records) CHECK(is_same_everywhere(r));
}

namespace {

void barrier() { PMPI_Barrier(application::comm()); }

} // namespace

TEST_CASE("an exchange that is measured measures nothing itself: all ranks are told, and may go on") {
    mpi::group ranks{application::comm()};
    auto const few = plan<>{}.warmup(1).until(samples{2});
    auto const quiet = [](auto const&) {};
    auto const run_inside = [&] { static_cast<void>(run(ranks, few, barrier)); };
    auto const measure_inside = [&] { mpi::measure(application::comm(), "inner", barrier, quiet); };
    auto const refused = [&](auto f) {
        CHECK_THROWS_WITH_AS(
            f(),
            "sonde::mpi: a measurement is called within the exchange that is measured, which would repeat it "
            "in each iteration",
            std::logic_error);
    };
    refused([&] { static_cast<void>(run(ranks, few, run_inside)); });
    refused([&] { static_cast<void>(run(ranks, few, measure_inside)); });
    refused([&] { static_cast<void>(compare(ranks, few, barrier, run_inside)); });
    refused([&] { mpi::measure(application::comm(), "outer", measure_inside, quiet); });
    refused([&] { mpi::compare(application::comm(), {{"a", barrier}, {"b", measure_inside}}, quiet); });
    run_inside(); // no call is left behind
    measure_inside();
}

TEST_CASE("a caller that holds the group may measure one exchange after another") {
    mpi::group ranks{application::comm()};
    auto const held = ranks.hold();
    for (int i = 0; i != 2; ++i) CHECK(run(ranks, plan<>{}.until(samples{2}), barrier).series.size() == 2);
}

TEST_CASE("a comparison in one call knows its scope in the application, and so does its report") {
    bool reported = false;
    auto const found = mpi::compare(application::comm(), {{"a", barrier}, {"b", barrier}},
                                    {"halo", seconds{1}, seconds{2}, seconds{10}}, [&](comparison const& of) {
                                        reported = true;
                                        CHECK((of.application && of.application->name == "halo"));
                                    });
    int rank = 0;
    PMPI_Comm_rank(application::comm(), &rank);
    CHECK(reported == (rank == 0));
    CHECK(found.application->loop == seconds{10});
}

TEST_CASE("functions are alternatives, and a group that was moved from is refused") {
    auto const found = mpi::compare(application::comm(), {{"a", barrier}, {"b", barrier}}, [](comparison const&) {});
    CHECK(found.records.size() == 2);
    mpi::group first{application::comm()};
    mpi::group ranks{std::move(first)};
    // NOLINTNEXTLINE(bugprone-use-after-move): the mistake
    CHECK_THROWS_WITH_AS(static_cast<void>(run(first, plan<>{}, barrier)),
                         "sonde::mpi::group: the group was moved from", std::logic_error);
    CHECK_NOTHROW(static_cast<void>(run(ranks, plan<>{}, barrier)));
}

namespace {

/// An exchange of which no iteration is left, as if a compiler had removed it.
struct removed {
    sonde::role mine = role::initiator;
    void operator()() const {}
    void in_role(auto) const {}
    sonde::role role() const { return mine; }
};

/// A few nanoseconds, so that there are many iterations in a sample.
void count_to_ten() {
    int volatile n = 0;
    while (n != 10) n = n + 1;
}

/// An exchange that does nothing after its warm-up.
struct removed_later {
    bool is_warm = false;
    void operator()() const { count_to_ten(); }
    void after_warmup() { is_warm = true; }
    void in_role(auto f) {
        if (!is_warm) f(*this);
    }
};

} // namespace

TEST_CASE("a measurement or a comparison in one call refuses an exchange whose iterations are shorter than any call") {
    auto const refusal = [](std::string const& function) {
        return "sonde::mpi::" + function +
               ": an iteration of 'nothing' takes less than 1 ns: it is empty, or a compiler has removed it";
    };
    auto const quiet = [](auto const&) {};
    removed nothing;
    CHECK_THROWS_WITH_AS(mpi::measure(application::comm(), "nothing", nothing, quiet), refusal("measure").c_str(),
                         std::invalid_argument);
    std::size_t barriers = 0; // not in batches as long as those of an exchange that takes no time
    auto const counted = [&] {
        ++barriers;
        barrier();
    };
    CHECK_THROWS_WITH_AS(mpi::compare(application::comm(), {{"barrier", counted}, {"nothing", nothing}}, quiet),
                         refusal("compare").c_str(), std::invalid_argument);
    CHECK(barriers < 100'000);
    removed_later late;
    CHECK_THROWS_WITH_AS(mpi::compare(application::comm(), {{"count", count_to_ten}, {"nothing", late}}, quiet),
                         refusal("compare").c_str(), std::invalid_argument);
    CHECK_NOTHROW(mpi::detail::require_exchange("measure", "short", seconds{2e-9}));
    removed idle{role::idle}; // without initiators, and so without times
    CHECK_NOTHROW(mpi::measure(application::comm(), "idle", idle, quiet));
    CHECK_NOTHROW(mpi::compare(application::comm(), {{"idle", idle}, {"idle, too", idle}}, quiet));
}

TEST_CASE("a measurement in one call frees its communicator, and refuses a null communicator and no alternatives") {
    static_cast<void>(mpi::measure(application::comm(), "barrier", {}, barrier, [](record const&) {}));
    CHECK(ledger::current().communicators.empty());
    CHECK_THROWS_AS(mpi::compare(application::comm(), {}), std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(mpi::measure(MPI_COMM_NULL, "null", {}, [] {})), std::invalid_argument);
}

TEST_CASE("a synchronized start accepts MPI_Wtime as its clock") {
    mpi::group ranks{application::comm()};
    synchronized_start start{
        ranks, mpi::wtime{}, {4, 3, 5}}; // few messages, because there may be more ranks than cores
    auto const r = run(ranks, plan<>{}.warmup(1).until(samples{5}).timed_by(mpi::wtime{}).synchronized(start), [] {});
    CHECK(r.stop.samples == 5);
}
