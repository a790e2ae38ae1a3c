// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/mpi/synchronized_start.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <string>

using namespace sonde;
using ledger::call;

namespace {

constexpr clock_sync_options little{4, 3, 5}; // ranks may be more than cores

std::size_t messages() { return ledger::open()[call::send] + ledger::open()[call::recv]; }

MPI_Comm part_of_application(int color) {
    MPI_Comm part = MPI_COMM_NULL;
    PMPI_Comm_split(application::comm(), color, application::rank(), &part);
    return part;
}

/// A synchronized start of ranks that are told that they have clocks of their own, `together` of them one, though it is
/// the same.
auto apart(mpi::group& ranks, int together = 1) {
    return synchronized_start{ranks, steady_clock{}, mpi::control_channel{ranks},
                              std::to_string(ranks.rank() / together), little};
}

/// Does this rank's global time differ from that of the first rank, whose clock it shares, by no more than it says?
template <class Start>
bool is_honest(mpi::group& ranks, Start& start) {
    std::array<double, 1> origin{start.model().origin.count()};
    broadcast(ranks, origin);
    steady_clock clock;
    auto const t = reading(clock);
    auto const off = start.to_global(t) - (t - seconds{origin[0]});
    seconds const rounding{1e-8}; // of readings that are years after the clock's epoch
    return sonde::detail::magnitude(off) <= start.model().error_bound(start.to_global(t)) + rounding;
}

} // namespace

TEST_CASE("ranks of one node exchange no message to know the time, and a start costs a barrier and a reduction") {
    mpi::group ranks{application::comm()};
    auto const before = messages();
    auto start = mpi::synchronized_start(ranks);
    auto const barriers = ledger::open()[call::barrier], reductions = ledger::open()[call::allreduce];
    for (std::size_t i = 0; i != 10; ++i) start(ranks, i);
    CHECK(ledger::open()[call::barrier] - barriers == 10);
    CHECK(ledger::open()[call::allreduce] - reductions == 10);
    CHECK(start.measure_deviation(ranks) == seconds{});
    CHECK(start.error_bound() == seconds{});
    CHECK(start.to_global(seconds{12.5}) == seconds{12.5});
    CHECK(messages() == before);
}

TEST_CASE("nobody runs before the start that all know, unless it is late and says so") {
    mpi::group ranks{application::comm()};
    auto start = mpi::synchronized_start(ranks);
    steady_clock clock;
    for (std::size_t i = 0; i != 20; ++i) {
        start(ranks, i);
        std::array<double, 2> entries{reading(clock).count(), start.on_time() ? 0 : 1.0};
        ranks.all_reduce(entries, reduction::max);
        CHECK(reading(clock).count() >= entries[0]); // one clock for all: nobody is ahead of it
    }
}

TEST_CASE("clocks that are compared by messages are known within the bound, before and after the check") {
    mpi::group ranks{application::comm()};
    for (int const together : {1, 2}) {
        CAPTURE(together);
        auto const before = messages();
        auto start = apart(ranks, together);
        CHECK((messages() > before) == (ranks.size() > together));
        CHECK(application::everywhere(is_honest(ranks, start)));
        start(ranks, 0);
        auto const residual = start.measure_deviation(ranks);
        CHECK(residual >= seconds{});
        CHECK(application::everywhere(is_honest(ranks, start)));
        CHECK((start.error_bound() == seconds{}) == (ranks.size() <= together)); // nobody's was measured
    }
}

TEST_CASE("disjoint groups compare clocks at once, and start samples each for itself") {
    auto part = part_of_application(application::rank() % 2);
    {
        mpi::group ranks{part};
        auto start = apart(ranks);
        auto const r = run(ranks, plan<>{}.warmup(1).until(samples{5}).synchronized(start), [] {});
        CHECK(r.stop.samples == 5);
        CHECK(is_honest(ranks, start));
        start.measure_deviation(ranks);
    }
    PMPI_Comm_free(&part);
}

TEST_CASE("a synchronized start may go by MPI_Wtime") {
    mpi::group ranks{application::comm()};
    auto start = mpi::synchronized_start(ranks, mpi::wtime{}, little);
    auto const r = run(ranks, plan<>{}.warmup(1).until(samples{5}).timed_by(mpi::wtime{}).synchronized(start), [] {});
    CHECK(r.stop.samples == 5);
}
