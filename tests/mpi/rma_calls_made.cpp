// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "rma_calls.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

constexpr std::size_t iterations = 5, many = 4;
using locks = std::vector<std::pair<int, int>>; // ranks and types

/// Pairs of ranks; the last rank is idle if their number is odd.
struct pairs_of_ranks : rma_calls::nothing_left {
    mpi::group ranks{application::comm()};
    pairing place = pair_of(ranks.rank(), ranks.size() / 2);
    mpi::peer partner{place.peer};
    mpi::peer target{place.role == role::initiator ? place.peer : -1};
    mpi::allocated_window window{ranks, 8 * many};
    std::vector<std::byte> memory = std::vector<std::byte>(8 * many);

    mpi::put<> put(mpi::peer to) { return {window, to, memory, {MPI_BYTE, 8}}; }

    /// The number of calls of `name` while a pattern runs.
    template <class P>
    std::size_t calls(std::string const& name, P&& pattern) {
        return rma_calls::during(name, [&] {
            for (std::size_t i = 0; i != iterations; ++i) pattern();
        });
    }
    std::size_t if_initiator(std::size_t n) const { return place.role == role::initiator ? n * iterations : 0; }
};

} // namespace

TEST_CASE_FIXTURE(pairs_of_ranks, "a one-way iteration between fences has two of them, on idle ranks too") {
    rma pattern{mpi::fence{window}, place.role, many, put(partner)};
    CHECK(calls("Win_fence", pattern) == 2 * iterations);
    CHECK(calls("Put", pattern) == if_initiator(many));
}

TEST_CASE_FIXTURE(pairs_of_ranks, "a ping-pong between fences has three of them, on idle ranks too") {
    rma_ping_pong pattern{mpi::fence{window}, place.role, 1, put(partner)};
    CHECK(calls("Win_fence", pattern) == 3 * iterations);
    CHECK(calls("Put", pattern) == (place.role == role::idle ? 0 : iterations));
}

TEST_CASE_FIXTURE(pairs_of_ranks, "the fences that open and close have assertions; the one between has none") {
    mpi::fence const asserting{window, MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED};
    auto const assertions = [&](auto pattern) {
        rma_calls::current().assertions.clear();
        pattern();
        return rma_calls::current().assertions;
    };
    CHECK(assertions(rma{asserting, place.role, 1, put(partner)}) ==
          std::vector{MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED});
    CHECK(assertions(rma_ping_pong{asserting, place.role, 1, put(partner)}) ==
          std::vector{MPI_MODE_NOPRECEDE, 0, MPI_MODE_NOSUCCEED});
}

TEST_CASE_FIXTURE(pairs_of_ranks,
                  "PSCW: an origin starts and completes, a target posts and waits, an idle rank calls nothing") {
    rma pattern{mpi::pscw{window, partner}, place.role, 1, put(partner)};
    auto const target_side = place.role == role::responder ? iterations : 0;
    CHECK(calls("Win_start", pattern) == if_initiator(1));
    CHECK(calls("Win_complete", pattern) == if_initiator(1));
    CHECK(calls("Win_post", pattern) == target_side);
    CHECK(calls("Win_wait", pattern) == target_side);
}

TEST_CASE_FIXTURE(pairs_of_ranks, "an exchange posts before it starts, on both ranks of a pair") {
    rma_exchange pattern{mpi::pscw{window, partner}, place.role, many, put(partner)};
    std::vector<std::string> iteration{"Win_post", "Win_start"};
    iteration.insert(iteration.end(), many, "Put");
    iteration.insert(iteration.end(), {"Win_complete", "Win_wait"});
    if (place.role == role::idle) iteration.clear();
    for (std::size_t i = 0; i != iterations; ++i) CHECK(rma_calls::in_order([&] { pattern(); }) == iteration);
}

TEST_CASE_FIXTURE(pairs_of_ranks, "passive epochs are calls of the origin alone") {
    rma locked{mpi::lock{window, target}, place.role, many, put(target)};
    CHECK(calls("Win_lock", locked) == if_initiator(1));
    CHECK(calls("Win_unlock", locked) == if_initiator(1));
    rma all{mpi::lock_all{window}, place.role, many, put(target)};
    CHECK(calls("Win_lock_all", all) == if_initiator(1));
    CHECK(calls("Win_unlock_all", all) == if_initiator(1));
}

TEST_CASE_FIXTURE(pairs_of_ranks, "flushes are one call an iteration, under a lock of the pattern's lifetime") {
    auto const of_pattern = [&](auto make_epoch, std::string const& flushing, std::string const& locking) {
        auto const locks_before = rma_calls::current().calls[locking];
        rma pattern{make_epoch(), place.role, many, put(target)};
        auto const flushes = calls(flushing, pattern);
        CAPTURE(flushing);
        CHECK(flushes == if_initiator(1));
        return rma_calls::current().calls[locking] - locks_before;
    };
    auto const one = place.role == role::initiator ? 1 : 0;
    CHECK(of_pattern([&] { return mpi::flush{window, target}; }, "Win_flush", "Win_lock") == one);
    CHECK(of_pattern([&] { return mpi::flush_local{window, target}; }, "Win_flush_local", "Win_lock") == one);
    CHECK(of_pattern([&] { return mpi::flush_all{window}; }, "Win_flush_all", "Win_lock_all") == 1);
    CHECK(of_pattern([&] { return mpi::flush_local_all{window}; }, "Win_flush_local_all", "Win_lock_all") == 1);
}

TEST_CASE_FIXTURE(pairs_of_ranks, "request-based transfers are waited for at once, and never allocate") {
    rma pattern{mpi::flush{window, target}, place.role, many, mpi::request_based_transfer{put(target)}};
    auto& state = rma_calls::current();
    state.calls["Rput"] += 0; // creates the ledger's entries before the count
    state.calls["Win_flush"] += 0;
    auto const waits = ledger::current()[ledger::call::waitall], allocations = ledger::allocations();
    auto const rputs = state.calls["Rput"];
    pattern();
    CHECK(ledger::allocations() == allocations);
    CHECK(state.calls["Rput"] - rputs == if_initiator(many) / iterations);
    CHECK(ledger::current()[ledger::call::waitall] - waits == if_initiator(1) / iterations);
}

TEST_CASE_FIXTURE(
    pairs_of_ranks,
    "exclusive locks of several targets are taken in the order of ranks, shared ones in the given order") {
    auto const order = [&](mpi::lock_type type) {
        mpi::lock const epoch{window, mpi::peers::all_others(ranks), type};
        rma_calls::current().locked.clear();
        if (ranks.rank() == 1) epoch.open(origin_side{});
        if (ranks.rank() == 1) epoch.close(origin_side{});
        return rma_calls::current().locked;
    };
    locks up, around;
    for (int r = 0; r != ranks.size() && ranks.rank() == 1; ++r)
        if (r != 1) up.emplace_back(r, MPI_LOCK_EXCLUSIVE);
    for (int d = 1; d != ranks.size() && ranks.rank() == 1; ++d)
        around.emplace_back((1 + d) % ranks.size(), MPI_LOCK_SHARED);
    CHECK((order(mpi::lock_type::exclusive) == up));
    CHECK((order(mpi::lock_type::shared) == around));
}

TEST_CASE_FIXTURE(pairs_of_ranks, "scoped locks have the requested type, shared by default") {
    auto const locked_by = [](auto make_epoch) {
        rma_calls::current().locked.clear();
        auto const epoch = make_epoch();
        return rma_calls::current().locked;
    };
    auto const one = [&](int type) { return target.rank < 0 ? locks{} : locks{{target.rank, type}}; };
    constexpr auto exclusive = mpi::lock_type::exclusive;
    CHECK((locked_by([&] { return mpi::flush{window, target}; }) == one(MPI_LOCK_SHARED)));
    CHECK((locked_by([&] { return mpi::flush{window, target, exclusive}; }) == one(MPI_LOCK_EXCLUSIVE)));
    CHECK((locked_by([&] { return mpi::flush_local{window, target}; }) == one(MPI_LOCK_SHARED)));
    CHECK((locked_by([&] { return mpi::flush_local{window, target, exclusive}; }) == one(MPI_LOCK_EXCLUSIVE)));
}

TEST_CASE_FIXTURE(pairs_of_ranks, "bandwidth of a record counts every transfer of every pair") {
    auto const plan = sonde::plan<>{}.warmup(2).until(samples{6});
    auto const pairs = static_cast<double>(ranks.size() / 2);
    auto const one_way = run(ranks, plan, rma{mpi::fence{window}, place.role, many, put(partner)});
    CHECK(one_way.total.bytes == pairs * many * 8);
    CHECK(one_way.total.messages == pairs * many);
    CHECK(one_way.initiators == ranks.size() / 2);
    auto const both = run(ranks, plan, rma_exchange{mpi::pscw{window, partner}, place.role, many, put(partner)});
    CHECK(both.total.bytes == pairs * many * 8 * 2);
    auto const there_and_back =
        run(ranks, plan, rma_ping_pong{mpi::pscw{window, partner}, place.role, 1, put(partner)});
    CHECK(there_and_back.total.hops == 2);
    mpi::get const from_all{window, mpi::peers::all_others(ranks), memory, {MPI_BYTE, 1}};
    CHECK(from_all.traffic().bytes == ranks.size() - 1);
    CHECK(from_all.traffic().messages == ranks.size() - 1);
}
