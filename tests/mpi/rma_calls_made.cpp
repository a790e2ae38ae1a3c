// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "rma_calls.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
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

    std::size_t if_initiator(std::size_t n) const { return place.role == role::initiator ? n : 0; }
};

} // namespace

TEST_CASE_FIXTURE(pairs_of_ranks, "the fences that open and close have assertions; the one between has none") {
    mpi::fence const asserting{window, MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED};
    auto const assertions = [&](auto pattern) {
        rma_calls::current().assertions.clear();
        pattern();
        return rma_calls::current().assertions;
    };
    CHECK(assertions(rma{asserting, place.role, 1, put(partner)}) ==
          std::vector<int>{MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED});
    CHECK(assertions(rma_ping_pong{asserting, place.role, 1, put(partner)}) ==
          std::vector<int>{MPI_MODE_NOPRECEDE, 0, MPI_MODE_NOSUCCEED});
}

TEST_CASE_FIXTURE(pairs_of_ranks,
                  "an iteration makes the calls of its epoch around the transfers, of each role its own") {
    using names = std::vector<std::string>;
    auto const makes = [&](auto&& pattern, names const& initiator, names const& responder, names const& idle) {
        auto expected = place.role == role::initiator ? initiator : place.role == role::responder ? responder : idle;
        if (auto const put = std::find(expected.begin(), expected.end(), "Put"); put != expected.end())
            expected.insert(put, many - 1, "Put");
        for (std::size_t i = 0; i != iterations; ++i) CHECK(rma_calls::in_order([&] { pattern(); }) == expected);
    };
    auto const who = place.role;
    names const fences{"Win_fence", "Win_fence"}, three{"Win_fence", "Win_fence", "Win_fence"};
    makes(rma{mpi::fence{window}, who, many, put(partner)}, {"Win_fence", "Put", "Win_fence"}, fences, fences);
    makes(rma_ping_pong{mpi::fence{window}, who, many, put(partner)}, {"Win_fence", "Put", "Win_fence", "Win_fence"},
          {"Win_fence", "Win_fence", "Put", "Win_fence"}, three);
    names const both{"Win_post", "Win_start", "Put", "Win_complete", "Win_wait"};
    makes(rma{mpi::pscw{window, partner}, who, many, put(partner)}, {"Win_start", "Put", "Win_complete"},
          {"Win_post", "Win_wait"}, {});
    makes(rma_exchange{mpi::pscw{window, partner}, who, many, put(partner)}, both, both, {});
    makes(rma{mpi::lock{window, target}, who, many, put(target)}, {"Win_lock", "Put", "Win_unlock"}, {}, {});
    makes(rma{mpi::lock_all{window}, who, many, put(target)}, {"Win_lock_all", "Put", "Win_unlock_all"}, {}, {});
    // Flushes under a lock of the pattern's lifetime.
    makes(rma{mpi::flush{window, target}, who, many, put(target)}, {"Put", "Win_flush"}, {}, {});
    makes(rma{mpi::flush_local{window, target}, who, many, put(target)}, {"Put", "Win_flush_local"}, {}, {});
    makes(rma{mpi::flush_all{window}, who, many, put(target)}, {"Put", "Win_flush_all"}, {}, {});
    makes(rma{mpi::flush_local_all{window}, who, many, put(target)}, {"Put", "Win_flush_local_all"}, {}, {});
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
    CHECK(state.calls["Rput"] - rputs == if_initiator(many));
    CHECK(ledger::current()[ledger::call::waitall] - waits == if_initiator(1));
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
