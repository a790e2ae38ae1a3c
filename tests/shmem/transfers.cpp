// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem.hpp>

#include <shmem.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde::shmem;
using sonde::role;

namespace {

constexpr std::size_t most = 4096, transfers = 5;
std::byte global_array[most * transfers];

int right() { return (shmem_my_pe() + 1) % shmem_n_pes(); }
int left() { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }

/// Byte `i` of the data of a PE in round `round`.
std::byte content(int pe, std::size_t i, int round) { return std::byte(pe * 31 + static_cast<int>(i % 251) + round); }

void write(sonde::region bytes, int pe, int round) {
    for (std::size_t i = 0; i != bytes.size(); ++i) bytes[i] = content(pe, i, round);
}

/// True if the first n bytes are those of a PE, and the byte behind them is untouched.
bool is_from(sonde::region bytes, std::size_t n, int pe, int round) {
    for (std::size_t i = 0; i != n; ++i)
        if (bytes[i] != content(pe, i, round)) return false;
    return n == bytes.size() || bytes[n] == std::byte{0xEE};
}

/// Every PE transfers, to or from its right neighbor; `make(remote, local, bytes)` makes the transfer.
template <class Epoch, class Make>
void check_contents(sonde::region symmetric, bool puts, Epoch epoch, Make make) {
    int round = 0;
    for (std::size_t const bytes : {std::size_t{1}, std::size_t{8}, std::size_t{100}, most}) {
        std::vector<std::byte> local(transfers * most);
        sonde::region const private_bytes{local};
        auto const from = puts ? private_bytes : symmetric, into = puts ? symmetric : private_bytes;
        write(from, shmem_my_pe(), ++round);
        std::memset(into.data(), 0xEE, into.size());
        shmem_barrier_all();
        sonde::rma pattern{epoch, role::initiator, transfers, make(symmetric, private_bytes, bytes)};
        CHECK(sonde::traffic_of(pattern).bytes == transfers * bytes);
        CHECK(sonde::traffic_of(pattern).messages == transfers);
        pattern();
        shmem_barrier_all(); // puts: the left neighbor has completed its own
        CHECK(is_from(into, transfers * bytes, puts ? left() : right(), round));
        shmem_barrier_all();
    }
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
