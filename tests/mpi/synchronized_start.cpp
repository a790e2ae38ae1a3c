// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "clock_options.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <array>
#include <cstddef>
#include <string>

using namespace sonde;
using ledger::call;

namespace {

std::size_t messages() { return ledger::current()[call::send] + ledger::current()[call::recv]; }

/// A synchronized start of ranks that pretend to have separate clocks, one for each group of `together` ranks.
auto start_with_separate_clocks(mpi::group& ranks, int together = 1) {
    return synchronized_start{ranks, steady_clock{}, mpi::control_channel{ranks},
                              std::to_string(ranks.rank() / together), little};
}

/// True if this rank's global time differs from that of the first rank, whose clock it shares, by at most the error
/// bound.
template <class Start>
bool is_within_error_bound(mpi::group& ranks, Start& start) {
    std::array<double, 1> origin{start.model().origin.count()};
    broadcast(ranks, origin);
    steady_clock clock;
    auto const t = reading(clock);
    auto const off = start.to_global(t) - (t - seconds{origin[0]});
    seconds const rounding{1e-8}; // readings that are years after the clock's epoch
    return std::chrono::abs(off) <= start.model().error_bound(start.to_global(t)) + rounding;
}

} // namespace

TEST_CASE("ranks of one node compare clocks without messages, and a start costs a barrier and a reduction") {
    mpi::group ranks{application::comm()};
    auto const before = messages();
    auto start = synchronized_start{ranks};
    auto const barriers = ledger::current()[call::barrier], reductions = ledger::current()[call::allreduce];
    for (std::size_t i = 0; i != 10; ++i) start(ranks, i);
    CHECK(ledger::current()[call::barrier] - barriers == 10);
    CHECK(ledger::current()[call::allreduce] - reductions == 10);
    auto const found = start.measure_deviation(ranks);
    CHECK(found.max == seconds{});
    CHECK(found.error_bound == seconds{});
    CHECK(start.to_global(seconds{12.5}) == seconds{12.5});
    CHECK(messages() == before);
}

TEST_CASE("clocks compared by messages are known within the error bound, before and after measure_deviation") {
    mpi::group ranks{application::comm()};
    for (int const together : {1, 2}) {
        CAPTURE(together);
        auto const before = messages();
        auto start = start_with_separate_clocks(ranks, together);
        CHECK((messages() > before) == (ranks.size() > together));
        CHECK(application::everywhere(is_within_error_bound(ranks, start)));
        start(ranks, 0);
        auto const found = start.measure_deviation(ranks);
        CHECK(found.max >= seconds{});
        CHECK(application::everywhere(is_within_error_bound(ranks, start)));
        CHECK((found.error_bound == seconds{}) == (ranks.size() <= together)); // no clock was compared
    }
}

TEST_CASE("a synchronized start accepts MPI_Wtime as its clock") {
    mpi::group ranks{application::comm()};
    auto start = synchronized_start{ranks, mpi::wtime{}, little};
    auto const r = run(ranks, plan<>{}.warmup(1).until(samples{5}).timed_by(mpi::wtime{}).synchronized(start), [] {});
    CHECK(r.stop.samples == 5);
}
