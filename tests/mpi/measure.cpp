// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <utility>

using namespace sonde;
using ledger::call;

namespace {

/// The calls and allocations of a pattern between the begin of its first and the end of its last sample.
struct measured_calls {
    std::size_t mpi_calls;
    std::size_t allocations;
};

template <class Plan, class P>
measured_calls samples_of(mpi::group& ranks, Plan const& how, std::size_t count, P& pattern) {
    std::size_t iteration = 0;
    measured_calls begin{}, end{};
    auto const now = [] { return measured_calls{ledger::current().all(), ledger::allocations()}; };
    auto const watched = [&] {
        if (++iteration == how.warmup_iterations + 1) begin = now();
        pattern();
        if (iteration == how.warmup_iterations + count) end = now();
    };
    (void)run(ranks, how.until(samples{count}), watched);
    return {end.mpi_calls - begin.mpi_calls, end.allocations - begin.allocations};
}

/// The number of calls of one function in a whole measurement of `count` samples.
template <class Plan>
std::size_t calls_of(mpi::group& ranks, Plan const& how, std::size_t count, call function) {
    auto const before = ledger::current()[function];
    (void)run(ranks, how.until(samples{count}), [] {});
    return ledger::current()[function] - before;
}

std::size_t rounds_of_dissemination(int ranks) {
    std::size_t rounds = 0;
    for (int reached = 1; reached < ranks; reached *= 2) ++rounds;
    return rounds;
}

} // namespace

TEST_CASE("samples make the MPI calls of their pattern, and allocate nothing") {
    mpi::group ranks{application::comm()};
    auto const at = pair_of(ranks.rank(), ranks.size() / 2);
    auto const calls = at.role == role::idle ? 0u : 1u;
    host_allocation memory{64}, in{16 * host_allocation::stride_of(8)};
    auto const how = plan<>{}.warmup(4);
    SUBCASE("ping-pong: two calls") {
        ping_pong pattern{mpi::link{ranks, at.peer}, at.role, memory.first(8), memory.first(8)};
        auto const seen = samples_of(ranks, how, 100, pattern);
        CHECK(seen.mpi_calls == 100 * 2 * calls);
        CHECK(seen.allocations == 0);
    }
    SUBCASE("stream: a window, one wait, one token") {
        stream pattern{mpi::async_link{ranks, at.peer}, at.role,        16, memory.first(8), in.distinct_regions(8, 16),
                       mpi::link{ranks, at.peer, 1},    memory.first(1)};
        auto const seen = samples_of(ranks, how, 50, pattern);
        CHECK(seen.mpi_calls == 50 * (16 + 1 + 1) * calls);
        CHECK(seen.allocations == 0);
    }
    SUBCASE("persistent bidirectional: one start and one wait for both windows") {
        mpi::persistent_link link{ranks, at.peer, {}, {}, 16};
        bidirectional pattern{std::move(link), at.role, 16, memory.first(8), in.distinct_regions(8, 16)};
        auto const seen = samples_of(ranks, how, 100, pattern);
        CHECK(seen.mpi_calls == 100 * 2 * calls);
        CHECK(seen.allocations == 0);
    }
    SUBCASE("empty pattern: no calls") {
        auto nothing = [] {};
        auto const seen = samples_of(ranks, how, 500, nothing);
        CHECK(seen.mpi_calls == 0);
        CHECK(seen.allocations == 0);
    }
}

TEST_CASE("the number of reductions does not depend on the number of samples") {
    mpi::group ranks{application::comm()};
    auto const how = plan<>{}.warmup(3);
    CHECK(calls_of(ranks, how, 10, call::allreduce) == calls_of(ranks, how, 1000, call::allreduce));
    CHECK(calls_of(ranks, how, 1000, call::barrier) == 2); // before the warm-up, and before the samples
    CHECK(calls_of(ranks, how.synchronized(no_sync{}), 1000, call::barrier) == 0);
}

TEST_CASE("a barrier before each iteration is one call an iteration") {
    mpi::group ranks{application::comm()};
    CHECK(calls_of(ranks, plan<>{}.warmup(3).synchronized(barrier_each{}), 50, call::barrier) == 53);
}

TEST_CASE("the dissemination barrier sends log2 messages from each rank, and calls no MPI_Barrier") {
    mpi::group ranks{application::comm()};
    auto const how = plan<>{}.warmup(3).synchronized(dissemination_barrier{});
    CHECK(calls_of(ranks, how, 50, call::sendrecv) == 53 * rounds_of_dissemination(ranks.size()));
    CHECK(calls_of(ranks, how, 50, call::barrier) == 0);
}

TEST_CASE("rounds make the MPI calls of their alternatives and of the synchronizer, and allocate nothing") {
    mpi::group ranks{application::comm()};
    struct seen {
        std::size_t calls, allocations;
    };
    constexpr std::size_t rounds = 10, warmup = 1;
    std::size_t iteration = 0;
    seen begin{}, end{};
    auto const watched = [&](int calls) {
        return [&, calls] {
            if (++iteration == 2 * warmup + 1) begin = {ledger::current().all(), ledger::allocations()};
            std::array<double, 1> value{};
            for (int i = 0; i != calls; ++i) ranks.all_reduce(value, reduction::sum);
            if (iteration == 2 * (warmup + rounds)) end = {ledger::current().all(), ledger::allocations()};
        };
    };
    (void)compare(ranks, plan<>{}.warmup(warmup).until(samples{rounds}), watched(1), watched(2));
    CHECK(end.calls - begin.calls == rounds * (1 + 2) + 2 * rounds - 1); // a barrier before each sample but the first
    CHECK(end.allocations == begin.allocations);
}
