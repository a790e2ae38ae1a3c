// SPDX-License-Identifier: BSL-1.0
#include "../transfer_conformance.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/measure/run.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/upcxx.hpp>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

using namespace sonde::upcxx;
using sonde::role;

namespace {

constexpr auto transfers = conformance::blocks;

/// The memory of a rank in tests: in its segment, and private.
struct memories {
    group ranks;
    shared_allocation shared{transfers * conformance::largest_block};
    std::vector<std::byte> own = std::vector<std::byte>(transfers * conformance::largest_block);
    std::vector<global_region> all = global_regions(ranks, shared.bytes());
    pending under_way;

    global_region of(int rank) const { return all[static_cast<std::size_t>(rank)]; }

    /// Every rank transfers, to or from its right neighbor; `make(there, here, bytes)` makes the transfer.
    /// `after()` is called between the pattern and the check.
    template <class Epoch, class Make, class After>
    void check(bool puts, Epoch epoch, Make make, After after) {
        sonde::region const mine{own};
        auto const pattern = [&](std::size_t bytes) {
            sonde::rma_exchange made{epoch, role::initiator, transfers, make(of(right()), mine, bytes)};
            CHECK(sonde::traffic_of(made).messages == 2 * transfers);
            return made;
        };
        conformance::check_transfers(ranks, puts ? mine : shared.bytes(), puts ? shared.bytes() : mine, puts, pattern,
                                     after);
    }
    template <class Epoch, class Make>
    void check(bool puts, Epoch epoch, Make make) {
        check(puts, epoch, make, [](sonde::region, int) {});
    }
};

} // namespace

TEST_CASE("transfers deliver every block when each of them, or the operations of the epoch, are complete") {
    on_ranks([] {
        memories m;
        m.check(true, each_operation{}, [](auto to, auto from, auto n) { return rput{to, from, n}; });
        m.check(false, each_operation{}, [](auto from, auto to, auto n) { return rget{from, to, n}; });
        operation const done{m.under_way};
        m.check(true, done, [&](auto to, auto from, auto n) { return rput{to, from, n, done}; });
        m.check(false, done, [&](auto from, auto to, auto n) { return rget{from, to, n, done}; });
        barrier_epoch const all{m.ranks, done};
        m.check(true, all, [&](auto to, auto from, auto n) { return rput{to, from, n, done}; });
    });
}

TEST_CASE("after source completion the bytes may be changed, and the operations complete later") {
    on_ranks([] {
        memories m;
        source const sent{m.under_way};
        m.check(
            true, sent,
            [&](auto to, auto from, auto n) {
                return rput{to, from, n, sent};
            },
            [&](sonde::region from, int) {
                std::memset(from.data(), 0, from.size());
                m.under_way.wait_for_operations();
            });
    });
}

TEST_CASE("after remote completion the target has the blocks, without a barrier") {
    on_ranks([] {
        memories m;
        arrivals here{m.ranks};
        remote const arrived{m.under_way, here, right(), transfers};
        m.check(
            true, arrived,
            [&](auto to, auto from, auto n) {
                return rput{to, from, n, arrived};
            },
            [&](sonde::region, int round) { CHECK(m.shared.bytes()[0] == conformance::content(left(), 0, round)); });
    });
}

TEST_CASE("transfers of another epoch than that which completes them do not compile") {
    static_assert(sonde::TransferIn<rput<operation>, operation>);
    static_assert(sonde::TransferIn<rput<operation>, barrier_epoch>);
    static_assert(!sonde::TransferIn<rput<operation>, source>);
    static_assert(!sonde::TransferIn<rput<operation>, each_operation>);
    static_assert(!sonde::TransferIn<rput<each_operation>, operation>);
    static_assert(!sonde::PassiveEpoch<remote> && sonde::PassiveEpoch<operation>);
}

TEST_CASE("one-way transfers and round trips are measured") {
    on_ranks([] {
        memories m;
        auto const pair = sonde::pair_of(rank(), size() / 2); // an odd rank is idle
        auto const peer = pair.peer < 0 ? global_region{} : m.of(pair.peer);
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{5});
        operation const done{m.under_way};
        auto const put = sonde::run(m.ranks, plan, sonde::rma{done, pair.role, 8, rput{peer, m.own, 8, done}});
        CHECK(put.initiators == static_cast<std::size_t>(size() / 2));
        CHECK(put.series.size() == 5);
        arrivals here{m.ranks};
        remote const arrived{m.under_way, here, pair.peer, 3};
        auto const trip =
            sonde::run(m.ranks, plan, sonde::rma_ping_pong{arrived, pair.role, 3, rput{peer, m.own, 8, arrived}});
        CHECK(trip.total.hops == (size() == 1 ? 1 : 2));
        auto const call = sonde::run(m.ranks, plan, rpc_round_trip{m.ranks, here, pair});
        CHECK(call.total.hops == (size() == 1 ? 1 : 2));
    });
}

TEST_CASE("a remote procedure call returns when its peer has executed it") {
    on_ranks([] {
        group ranks;
        arrivals here{ranks};
        auto const pair = sonde::pair_of(rank(), size() / 2);
        rpc_round_trip pattern{ranks, here, pair};
        for (int i = 0; i != 50; ++i) pattern();
        CHECK(pattern.role() == pair.role);
        ranks.barrier();
    });
}

TEST_CASE("bad transfers are refused before any call") {
    on_ranks([] {
        memories m;
        auto const there = m.of(right()).first(64);
        CHECK(rput{there, sonde::region{m.own}.first(40), 8}.capacity() == 5);
        CHECK(rput{global_region{}, m.own, 8}.capacity() == 0);
        CHECK(rget{there, m.own, 0}.capacity() == static_cast<std::size_t>(-1));
        CHECK_THROWS_AS((sonde::rma{each_operation{}, role::initiator, 9, rput{there, m.own, 8}}), std::length_error);
        sonde::rma{each_operation{}, role::idle, 9, rput{global_region{}, m.own, 8}}();
        ::upcxx::barrier();
    });
}
