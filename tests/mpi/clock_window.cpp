// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi/clock_window.hpp>
#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <string>

using namespace sonde;
using ledger::call;

namespace {

constexpr sync_effort little{4, 3, 5}; // ranks may be more than cores

std::size_t messages() { return ledger::open()[call::send] + ledger::open()[call::recv]; }

MPI_Comm part_of_application(int color) {
    MPI_Comm part = MPI_COMM_NULL;
    PMPI_Comm_split(application::comm(), color, application::rank(), &part);
    return part;
}

/// A window of ranks that are told that they have clocks of their own, `together` of them one, though it is the same.
auto apart(mpi::group& ranks, int together = 1) {
    return clock_window{ranks, steady_clock{}, mpi::courier{ranks}, std::to_string(ranks.rank() / together), little};
}

/// Does this rank's global time differ from that of the first rank, whose clock it shares, by no more than it says?
template <class Window>
bool is_honest(mpi::group& ranks, Window& window) {
    std::array<double, 1> origin{window.model().origin.count()};
    share(ranks, origin);
    steady_clock clock;
    auto const t = reading(clock);
    auto const off = window.global(t) - (t - seconds{origin[0]});
    seconds const rounding{1e-8}; // of readings that are years after the clock's epoch
    return sonde::detail::magnitude(off) <= window.model().bound(window.global(t)) + rounding;
}

} // namespace

TEST_CASE("ranks of one node exchange no message to know the time, and a start costs a barrier and a reduction") {
    mpi::group ranks{application::comm()};
    auto const before = messages();
    auto window = mpi::clock_window(ranks);
    auto const barriers = ledger::open()[call::barrier], reductions = ledger::open()[call::allreduce];
    for (std::size_t i = 0; i != 10; ++i) window(ranks, i);
    CHECK(ledger::open()[call::barrier] - barriers == 10);
    CHECK(ledger::open()[call::allreduce] - reductions == 10);
    CHECK(window.check(ranks) == seconds{});
    CHECK(window.bound() == seconds{});
    CHECK(window.global(seconds{12.5}) == seconds{12.5});
    CHECK(messages() == before);
}

TEST_CASE("nobody runs before the start that all know, unless it is late and says so") {
    mpi::group ranks{application::comm()};
    auto window = mpi::clock_window(ranks);
    steady_clock clock;
    for (std::size_t i = 0; i != 20; ++i) {
        window(ranks, i);
        std::array<double, 2> entries{reading(clock).count(), window.valid() ? 0 : 1.0};
        ranks.all_reduce(entries, reduction::max);
        CHECK(reading(clock).count() >= entries[0]); // one clock for all: nobody is ahead of it
    }
}

TEST_CASE("clocks that are compared by messages are known within the bound, before and after the check") {
    mpi::group ranks{application::comm()};
    for (int const together : {1, 2}) {
        CAPTURE(together);
        auto const before = messages();
        auto window = apart(ranks, together);
        CHECK((messages() > before) == (ranks.size() > together));
        CHECK(application::everywhere(is_honest(ranks, window)));
        window(ranks, 0);
        auto const residual = window.check(ranks);
        CHECK(residual >= seconds{});
        CHECK(application::everywhere(is_honest(ranks, window)));
        CHECK((window.bound() == seconds{}) == (ranks.size() <= together)); // nobody's was measured
    }
}

TEST_CASE("disjoint groups compare clocks at once, and start samples each for itself") {
    auto part = part_of_application(application::rank() % 2);
    {
        mpi::group ranks{part};
        auto window = apart(ranks);
        auto const r = run(ranks, plan<>{}.warmup(1).until(samples{5}).synchronized(window), [] {});
        CHECK(r.stopped.samples == 5);
        CHECK(is_honest(ranks, window));
        window.check(ranks);
    }
    PMPI_Comm_free(&part);
}

TEST_CASE("a window may go by MPI_Wtime") {
    mpi::group ranks{application::comm()};
    auto window = mpi::clock_window(ranks, mpi::wtime{}, little);
    auto const r = run(ranks, plan<>{}.warmup(1).until(samples{5}).timed_by(mpi::wtime{}).synchronized(window), [] {});
    CHECK(r.stopped.samples == 5);
}
