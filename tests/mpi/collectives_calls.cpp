// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"
#include "ledger.hpp"
#include "library_faults.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

using namespace sonde;
using ledger::call;

namespace {

/// MPI calls and allocations from the begin of the first sample to the end of the last.
struct measured_calls {
    ledger::state begin, end;
    std::size_t allocations = 0;
    std::size_t operator[](call which) const { return end[which] - begin[which]; }
    std::size_t all() const { return end.all() - begin.all(); }
};

template <class Plan, class P>
measured_calls samples_of(mpi::group& ranks, Plan const& how, std::size_t count, P& pattern) {
    measured_calls seen;
    std::size_t iteration = 0, heap = 0;
    auto const watched = [&] {
        if (++iteration == how.warmup_iterations + 1) {
            seen.begin = ledger::current();
            heap = ledger::allocations();
        }
        pattern();
        if (iteration == how.warmup_iterations + count) {
            seen.allocations = ledger::allocations() - heap;
            seen.end = ledger::current();
        }
    };
    (void)run(ranks, how.until(samples{count}), watched);
    return seen;
}

constexpr std::size_t count = 4;
auto const how = plan<>{}.warmup(2);

/// A sample is one blocking call, or a nonblocking call and a wait, or a start and a wait. `which` is the blocking
/// call; the nonblocking and the persistent one follow it.
template <sonde::CollectiveOperation Op>
void check_samples(mpi::group& ranks, Op const& operation, call which) {
    auto const nth = [&](int n) { return static_cast<call>(static_cast<int>(which) + n); };
    std::string const name = Op::name;
    CAPTURE(name);
    sweep::memories m{operation};
    slice const out{m.out.all()}, in{m.in.all()};

    mpi::blocking simple{operation, out, in};
    auto const one = samples_of(ranks, how, count, simple);
    CHECK(one[which] == count);
    CHECK(one.all() == count);
    CHECK(one.allocations == 0);

    mpi::nonblocking split{operation, out, in};
    auto const two = samples_of(ranks, how, count, split);
    CHECK(two[nth(1)] == count);
    CHECK(two[call::wait] == count);
    CHECK(two.all() == 2 * count);
    CHECK(two.allocations == 0);

#if SONDE_MPI_PERSISTENT_COLLECTIVES
    if (!library::works(Op::functions.init_name)) return;
    auto const made = ledger::current()[nth(2)];
    mpi::persistent ready{operation, out, in};
    CHECK(ledger::current()[nth(2)] == made + 1);
    auto const started = samples_of(ranks, how, count, ready);
    CHECK(started[call::start] == count);
    CHECK(started[call::wait] == count);
    CHECK(started.all() == 2 * count);
    CHECK(started.allocations == 0);
#endif
}

} // namespace

TEST_CASE("a sample of a collective makes its own calls and no other, and allocates nothing") {
    mpi::group ranks{application::comm()};
    check_samples(ranks, mpi::barrier{ranks}, call::barrier);
    check_samples(ranks, mpi::bcast{ranks, operations::three(), ranks.size() - 1}, call::bcast);
    check_samples(ranks, mpi::allreduce{ranks, operations::three(), MPI_SUM}, call::allreduce);
    check_samples(ranks, mpi::scatterv{ranks, operations::backwards(operations::unequal(ranks.size()))},
                  call::scatterv);
    check_samples(ranks, operations::alltoallv(ranks, sonde::in_place), call::alltoallv);
    auto const ring = mpi::topology::cartesian(ranks, {ranks.size()}, {true});
    mpi::group near{ring.comm()};
    check_samples(near, mpi::neighbor_alltoall{near, operations::three()}, call::neighbor_alltoall);
}

TEST_CASE("sample means take one reduction for any number of samples, and rank means a gather and a broadcast") {
    mpi::group ranks{application::comm()};
    auto const calls = [&](std::size_t n, keep_options keeps) { // reductions, gathers, broadcasts
        auto const before = ledger::current();
        auto const found = run(ranks, how.keep(keeps).until(samples{n}), [] {});
        std::array<std::size_t, 3> made{};
        for (std::size_t i = 0; auto const of : {call::allreduce, call::gather, call::bcast})
            made[i++] = ledger::current()[of] - before[of];
        if (!found.stragglers.empty()) --made[2]; // their broadcast
        return made;
    };
    auto const [reductions, gathers, broadcasts] = calls(5, {});
    std::array const with_means{reductions + 1, gathers, broadcasts};
    CHECK(calls(5, {.sample_means = true}) == with_means);
    CHECK(calls(500, {.sample_means = true}) == with_means);
    std::array const with_both{reductions + 1, gathers + 1, broadcasts + 1};
    CHECK(calls(500, {.sample_means = true, .rank_means = true}) == with_both);
}

TEST_CASE("test() calls MPI_Test, and wait() calls MPI_Wait once") {
    mpi::group ranks{application::comm()};
    mpi::nonblocking pattern{mpi::barrier{ranks}};
    auto const before = ledger::current();
    pattern.start();
    while (!pattern.test()) {
    }
    pattern.wait();
    auto const& after = ledger::current();
    CHECK(after[call::ibarrier] == before[call::ibarrier] + 1);
    CHECK(after[call::wait] == before[call::wait] + 1);
    CHECK(after[call::test] > before[call::test]);
    CHECK(after.all() == before.all() + 2 + (after[call::test] - before[call::test]));
    CHECK(after.active_requests == 0);
}

TEST_CASE("topologies are communicators that their owner frees") {
    mpi::group ranks{application::comm()};
    auto const before = ledger::current();
    {
        auto const ring = mpi::topology::cartesian(ranks, {ranks.size()}, {true});
        auto const graph = mpi::topology::dist_graph(ranks, {ranks.rank()}, {ranks.rank()});
        CHECK(ledger::current().communicators.size() == before.communicators.size() + 2);
        CHECK(ledger::current()[call::cart_create] == before[call::cart_create] + 1);
        CHECK(ledger::current()[call::dist_graph_create_adjacent] == before[call::dist_graph_create_adjacent] + 1);
    }
    CHECK(ledger::current().communicators == before.communicators);
}

TEST_CASE("the functions of a collective have their names in MPI") {
    constexpr auto functions = mpi::reduce_scatter_block::functions;
    CHECK(std::string_view{mpi::reduce_scatter_block::name} == "MPI_Reduce_scatter_block");
    CHECK(std::string_view{functions.nonblocking_name} == "MPI_Ireduce_scatter_block");
    std::string_view const init = functions.init_name; // of an extension in Open MPI 4, or of none
    CHECK((init.empty() || init == "MPI_Reduce_scatter_block_init" || init == "MPIX_Reduce_scatter_block_init"));
}
