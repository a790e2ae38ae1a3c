// SPDX-License-Identifier: BSL-1.0
#include "../transfer_conformance.hpp"

#include <doctest/doctest.h>

#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem.hpp>

#include <shmem.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde::shmem;
using sonde::role;

namespace {

constexpr auto transfers = conformance::blocks;
std::byte global_array[conformance::largest_block * transfers];

int right() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

/// `make(remote, local, bytes)` makes the transfer.
template <class Epoch, class Make>
void check_contents(sonde::region symmetric, bool puts, Epoch epoch, Make make) {
    group ranks;
    std::vector<std::byte> local(sizeof global_array);
    sonde::region const own{local};
    auto const pattern = [&](std::size_t bytes) {
        sonde::rma made{epoch, role::initiator, transfers, make(symmetric, own, bytes)};
        CHECK(sonde::traffic_of(made).bytes == transfers * bytes);
        CHECK(sonde::traffic_of(made).messages == transfers);
        return made;
    };
    conformance::check_transfers(ranks, puts ? own : symmetric, puts ? symmetric : own, puts, pattern,
                                 [](sonde::region, int) {});
}

template <class Epoch, class C>
void check_all(sonde::region symmetric, Epoch epoch, C policy) {
    auto const pe = right();
    check_contents(symmetric, true, epoch, [&](auto to, auto from, auto n) { return put{pe, to, from, n, policy}; });
    check_contents(symmetric, true, epoch, [&](auto to, auto from, auto n) {
        return put_nbi{pe, to, from, n, policy};
    });
    check_contents(symmetric, false, epoch, [&](auto from, auto to, auto n) { return get{pe, from, to, n, policy}; });
    check_contents(symmetric, false, epoch, [&](auto from, auto to, auto n) {
        return get_nbi{pe, from, to, n, policy};
    });
}

} // namespace

TEST_CASE("transfers deliver every block, from the symmetric heap and from a global array") {
    symmetric_allocation const heap{sizeof global_array};
    for (auto const symmetric : {heap.bytes(), sonde::region{global_array}}) {
        check_all(symmetric, quiet{}, default_context{});
        check_all(symmetric, barrier_all{}, default_context{});
    }
}

TEST_CASE("transfers on contexts") {
    symmetric_allocation const heap{sizeof global_array};
    for (long const options : {0L, static_cast<long>(SHMEM_CTX_SERIALIZED), static_cast<long>(SHMEM_CTX_PRIVATE)}) {
        context const own{options};
        check_all(heap.bytes(), quiet{context_ref{own}}, context_ref{own});
    }
}

TEST_CASE("blocking transfers need no completion for what they promise") {
    symmetric_allocation const heap{sizeof global_array};
    auto const pe = right();
    check_contents(heap.bytes(), false, no_completion{}, [&](auto from, auto to, auto n) {
        return get{pe, from, to, n};
    });
    check_contents(heap.bytes(), true, no_completion{}, // the barrier behind the pattern delivers
                   [&](auto to, auto from, auto n) {
                       return put{pe, to, from, n};
                   });
    check_contents(heap.bytes(), true, fence{}, [&](auto to, auto from, auto n) { return put{pe, to, from, n}; });
}

TEST_CASE("a fence orders puts: who sees the second one sees the first") {
    symmetric_array<long> cells{2};
    auto const all = cells.elements();
    long value = 0;
    auto const bytes = [](long& cell) { return std::as_writable_bytes(std::span{&cell, 1}); };
    sonde::rma first{fence{}, role::initiator, 1, put{right(), bytes(all[0]), bytes(value), sizeof value}};
    sonde::rma second{fence{}, role::initiator, 1, put{right(), bytes(all[1]), bytes(value), sizeof value}};
    auto ordered = true;
    for (value = 1; value != 1000; ++value) {
        first();
        second();
        shmem_long_wait_until(&all[1], SHMEM_CMP_GE, value);
        ordered = ordered && *static_cast<long volatile*>(&all[0]) >= value;
    }
    CHECK(ordered);
    shmem_barrier_all();
}

TEST_CASE("round trips and one-way transfers are measured") {
    group ranks;
    symmetric_allocation const from{64}, into{64};
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2); // an odd PE is idle
    put const one{pair.peer, into.bytes(), from.bytes(), 8};
    auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{5});
    auto const put_record = sonde::run(ranks, plan, sonde::rma{quiet{}, pair.role, 8, one});
    CHECK(put_record.initiators == static_cast<std::size_t>(ranks.size() / 2));
    CHECK(put_record.series.size() == 5);
    auto const round_trip = sonde::run(ranks, plan, sonde::rma_ping_pong{barrier_all{}, pair.role, 8, one});
    CHECK(round_trip.total.hops == (ranks.size() == 1 ? 1 : 2));
    (void)sonde::run(ranks, plan, sonde::rma_exchange{barrier_all{}, pair.role, 8, one});
}

TEST_CASE("bad transfers are refused before any call") {
    symmetric_allocation const memory{64};
    auto const bytes = memory.bytes();
    std::byte stack[64];
    auto const pes = shmem_n_pes();
    CHECK_THROWS_WITH_AS(
        (put{pes, bytes, bytes, 8}),
        ("sonde::shmem: target PE " + std::to_string(pes) + " is none of the PEs 0 to " + std::to_string(pes - 1))
            .c_str(),
        std::invalid_argument);
    CHECK_THROWS_AS((get{-2, bytes, bytes, 8}), std::invalid_argument);
    CHECK_THROWS_WITH_AS((put_nbi{right(), sonde::region{stack}, bytes, 8}),
                         doctest::Contains("sonde::shmem: a region of 64 bytes is not symmetric: PE "),
                         std::invalid_argument);
    std::vector<std::byte> own(1 << 20);
    CHECK_THROWS_AS((get_nbi{0, sonde::region{own}, bytes, 8}), std::invalid_argument);
    CHECK_THROWS_AS((sonde::rma{quiet{}, role::initiator, 9, put{right(), bytes, bytes, 8}}), std::length_error);
    CHECK_THROWS_AS((sonde::rma{quiet{}, role::initiator, 1, put{-1, bytes, bytes, 8}}), std::length_error);
    CHECK(put{right(), bytes, sonde::region{stack}.first(40), 8}.capacity() == 5);
    CHECK(put{-1, bytes, bytes, 8}.capacity() == 0);
    CHECK(put{right(), bytes, bytes, 0}.capacity() == static_cast<std::size_t>(-1));
    sonde::rma{quiet{}, role::idle, 9, put{-1, bytes, bytes, 8}}();
    shmem_barrier_all();
}
