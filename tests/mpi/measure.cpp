// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "same_record.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

/// A message to the next rank of a ring, and one from the previous, which couples the times of ranks.
class ring {
public:
    explicit ring(mpi::group const& ranks)
        : next_{ranks, (ranks.rank() + 1) % ranks.size()},
          previous_{ranks, (ranks.rank() + ranks.size() - 1) % ranks.size()}, out_{next_.send_buffer(slice{bytes_})},
          in_{previous_.recv_buffer(slice{token_})} {
        next_.reserve(1);
        previous_.reserve(1);
    }
    void operator()() {
        ++iterations;
        previous_.irecv(in_.next());
        next_.isend(out_.next());
        previous_.wait_all();
        next_.wait_all();
    }
    std::size_t iterations = 0;

private:
    std::array<std::byte, 8> bytes_{}, token_{};
    mpi::async_link next_, previous_;
    mpi::message_buffer<slice> out_, in_;
};

/// A clock that advances by a step at each reading, by another step on each rank.
struct differing_clock {
    seconds step;
    seconds* shown;
    seconds now() const { return *shown += step; }
    sonde::clock_properties properties() const { return {}; }
};

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

/// Checks that every rank throws std::invalid_argument.
template <class Plan>
bool refused_everywhere(mpi::group& ranks, Plan const& how) {
    bool refused = false;
    try {
        (void)run(ranks, how, [] {});
    } catch (std::invalid_argument const&) {
        refused = true;
    }
    return application::everywhere(refused);
}

} // namespace

TEST_CASE("a record is the same on every rank, to the last bit") {
    mpi::group ranks{application::comm()};
    auto const at = pair_of(ranks.rank(), ranks.size() / 2);
    host_allocation memory{64};
    ping_pong pattern{mpi::link{ranks, at.peer}, at.role, memory.first(64), memory.first(64)};
    ring around{ranks};
    auto const differing = [&, me = static_cast<std::size_t>(ranks.rank())] {
        for (std::size_t i = 0; i != 1 + 5 * me; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
    };
    auto const how = plan<>{}.warmup(3).batch(2).until(samples{40});
    auto const of_pairs = same::everywhere(same::numbers(run(ranks, how, pattern)));
    auto moved = with_traffic({.bytes = 8}, [&] { around(); });
    auto const of_a_ring = same::everywhere(same::numbers(run(ranks, how.synchronized(barrier_each{}), moved)));
    auto const of_unlike = same::everywhere(same::numbers(run(ranks, how.timed_by(mpi::wtime{}), differing)));
    CHECK(of_pairs);
    CHECK(of_a_ring);
    CHECK(of_unlike);
}

TEST_CASE("traffic of a record is that of all initiators; ranks and initiators have their numbers") {
    mpi::group ranks{application::comm()};
    auto const at = pair_of(ranks.rank(), ranks.size() / 2);
    host_allocation memory{64};
    ping_pong pattern{mpi::link{ranks, at.peer}, at.role, memory.first(64), memory.first(64)};
    auto const r = run(ranks, plan<>{}.warmup(1).until(samples{3}), pattern);
    CHECK(r.ranks == ranks.size());
    CHECK(r.initiators == ranks.size() / 2);
    CHECK(r.total.bytes == 2 * 64.0 * (ranks.size() / 2));
    CHECK(r.series.size() == 3);
}

TEST_CASE("a time budget ends on all ranks at the same sample") {
    mpi::group ranks{application::comm()};
    ring around{ranks};
    for (std::size_t i = 1; i != 10; ++i) {
        auto const before = around.iterations;
        auto const rule = (time_budget{seconds{0.001}} && samples{i}) || samples{5000};
        auto const r = run(ranks, plan<>{}.warmup(1).until(rule), [&] { around(); });
        auto const counts = {static_cast<double>(r.stop.samples), static_cast<double>(around.iterations - before)};
        auto const agreed = same::everywhere(counts);
        CHECK(agreed);
        CHECK(r.stop.samples == r.series.size());
        CHECK(around.iterations - before == r.series.size() + 1);
    }
}

TEST_CASE("rank 0's clock alone ends a time budget, also if the others' clocks run faster or slower") {
    mpi::group ranks{application::comm()};
    ring around{ranks};
    seconds shown{};
    differing_clock const clock{seconds{ranks.rank() == 0 ? 0.25 : ranks.rank() == 1 ? 0.125 : 8.0}, &shown};
    // A sample is two readings, an evaluation one more. Evaluations come after 1, 2, 3, 4 and 6 samples: 3, 6, 9, 12
    // and 17 quarters of a second on rank 0.
    auto const r = run(ranks, plan<>{}.warmup(0).timed_by(clock).until(time_budget{seconds{4}}), [&] { around(); });
    CHECK(r.stop.samples == 6);
    CHECK(r.stop.reason == stop_reason::time_budget);
    CHECK(around.iterations == 6);
}

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

TEST_CASE("no rank leaves the dissemination barrier before the last has entered") {
    mpi::group ranks{application::comm()};
    int* mine = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    PMPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, application::comm(), &mine, &window);
    auto const at = [&](int rank) {
        MPI_Aint size = 0;
        int unit = 0;
        int* slot = nullptr;
        PMPI_Win_shared_query(window, rank, &size, &unit, &slot);
        return std::atomic_ref<int>{*slot};
    };
    at(ranks.rank()) = 0;
    PMPI_Barrier(application::comm());
    auto synchronize = dissemination_barrier{};
    int early = 0;
    for (int i = 1; i <= 100; ++i) {
        at(ranks.rank()) = i;
        synchronize(ranks, 0);
        for (int rank = 0; rank != ranks.size(); ++rank) early += at(rank) < i;
    }
    PMPI_Barrier(application::comm());
    PMPI_Win_free(&window);
    CHECK(early == 0);
}

TEST_CASE("a plan that differs between ranks is refused on all ranks") {
    mpi::group ranks{application::comm()};
    if (ranks.size() == 1) return; // one rank cannot differ
    auto const last = ranks.rank() == ranks.size() - 1 ? std::size_t{1} : std::size_t{0};
    auto const how = plan<>{}.warmup(2).batch(1).until(samples{3});
    CHECK(refused_everywhere(ranks, how.warmup(2 + last)));
    CHECK(refused_everywhere(ranks, how.batch(1 + last)));
    CHECK(refused_everywhere(ranks, how.batch(1 - last)));
    CHECK(refused_everywhere(ranks, how.until(samples{3 + last})));
    CHECK(refused_everywhere(ranks, how.until(samples{1 - last})));
}

TEST_CASE("an invalid plan is refused on all ranks") {
    mpi::group ranks{application::comm()};
    CHECK(refused_everywhere(ranks, plan<>{}.batch(0)));
    CHECK(refused_everywhere(ranks, plan<>{}.until(samples{0})));
}

TEST_CASE("rank samples: their largest times are the series, on rank 0, or on every rank") {
    mpi::group ranks{application::comm()};
    auto const sum = [&] {
        double one[] = {1};
        ranks.all_reduce(one, reduction::sum);
    };
    for (auto const everywhere : {false, true}) {
        auto const p = plan<>{}.until(samples{20}).keep({.rank_samples = true, .on_all_ranks = everywhere});
        auto const r = run(ranks, p, sum);
        auto const has_them = everywhere || ranks.rank() == 0;
        std::size_t wrong = 0;
        for (std::size_t i = 0; i != r.series.size() && has_them; ++i) {
            seconds most{};
            for (int rank = 0; rank != ranks.size(); ++rank) most = std::max(most, samples_of(r, rank)[i]);
            wrong += most != r.series[i];
        }
        CHECK(wrong == 0);
        CHECK(r.rank_samples.has_value() == has_them);
        if (has_them) CHECK(r.rank_samples->size() == 20 * static_cast<std::size_t>(ranks.size()));
    }
}
