// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../remote_memory.hpp"
#include "application.hpp"
#include "content.hpp"
#include "ledger.hpp"

#include <sonde/link.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

// The MPI library of this program has no device support (device_support.cpp), and would crash on these addresses.

using namespace sonde;
using ledger::call;

namespace {

constexpr std::size_t rounds = 2, window = 5;
constexpr std::size_t message_sizes[] = {0, 13, 300'001}; // inlined, rendezvous

struct unstaged {
    using memory = host_memory;
    template <class L>
    static L over(L link) {
        return link;
    }
};
struct by_host {
    using memory = remote_memory;
    template <class L>
    static auto over(L link) {
        return staged_link{std::move(link), remote_memory{}};
    }
};

/// This rank's pairing in the largest number of pairs, and windows of n-byte messages in host or device memory.
template <class How>
struct paired_rank {
    mpi::group ranks{application::comm()};
    pairing at = pair_of(ranks.rank(), ranks.size() / 2);
    std::size_t n, stride = host_allocation::stride_of(n);
    allocation<typename How::memory> out{window * stride}, in{window * stride};

    explicit paired_rank(std::size_t bytes) : n{bytes} {}

    void prepare(std::size_t round) {
        std::vector<std::byte> own(n);
        for (std::size_t w = 0; w != window; ++w) {
            content::write(own, ranks.rank(), round, w);
            out.write(w * stride, own);
        }
        in.fill(std::byte{0});
    }
    std::size_t wrong(std::size_t round, std::size_t messages) {
        std::size_t errors = 0;
        std::vector<std::byte> found(n);
        for (std::size_t w = 0; w != messages; ++w) {
            in.read(w * stride, found);
            errors += content::wrong(found, at.peer, round, w);
        }
        return errors;
    }
    auto windowed() { return std::pair{out.distinct_regions(n, window), in.distinct_regions(n, window)}; }
};

template <class L, class T>
L made(T const& t) {
    if constexpr (std::is_same_v<L, mpi::persistent_link>) return L{t.ranks, t.at.peer, {}, {}, window};
    else return L{t.ranks, t.at.peer};
}

struct two_way {
    static std::size_t received(role who) { return who == role::idle ? 0 : window; }
    template <class L, class How>
    static auto pattern(paired_rank<How>& t) {
        auto const [out, in] = t.windowed();
        return bidirectional{How::over(made<L>(t)), t.at.role, window, out, in};
    }
};
struct one_way {
    static std::size_t received(role who) { return who == role::responder ? window : 0; }
    template <class L, class How>
    static auto pattern(paired_rank<How>& t) {
        static std::byte token[1];
        auto const [out, in] = t.windowed();
        return stream{How::over(made<L>(t)), t.at.role, window, out, in, mpi::link{t.ranks, t.at.peer, 1},
                      slice{token}};
    }
};
struct round_trip {
    static std::size_t received(role who) { return who == role::idle ? 0 : 1; }
    template <class L, class How>
    static auto pattern(paired_rank<How>& t) {
        return ping_pong{How::over(L{t.ranks, t.at.peer}), t.at.role, t.out.first(t.n), t.in.first(t.n)};
    }
};

/// Errors of n-byte messages.
template <class Kind, class L, class How>
std::size_t errors_of(std::size_t n) {
    paired_rank<How> t{n};
    auto pattern = Kind::template pattern<L>(t);
    return validate(
        t.ranks, pattern, [&](std::size_t round) { t.prepare(round); },
        [&](std::size_t round) { return t.wrong(round, Kind::received(t.at.role)); }, rounds);
}

/// The number of MPI calls of these iterations and all before them.
template <class Kind, class L, class How>
std::vector<std::size_t> calls_of() {
    auto const before = ledger::current().calls;
    errors_of<Kind, L, How>(8);
    std::vector<std::size_t> calls;
    for (std::size_t i = 0; i != before.size(); ++i) calls.push_back(ledger::current().calls[i] - before[i]);
    return calls;
}

template <class Kind, class L>
void bring_all_over() {
    for (auto const n : message_sizes) {
        auto const errors = errors_of<Kind, L, by_host>(n);
        CAPTURE(n);
        CHECK(errors == 0);
    }
    auto const same = calls_of<Kind, L, by_host>() == calls_of<Kind, L, unstaged>();
    CHECK(same);
}

} // namespace

TEST_CASE_TEMPLATE(
    "a staged round trip delivers every byte from device to device, with the calls of one in host memory", L, mpi::link,
    mpi::sync_link, mpi::persistent_link) {
    bring_all_over<round_trip, L>();
}

TEST_CASE_TEMPLATE("a staged window delivers each message to its own region, with the calls of one in host memory", L,
                   mpi::async_link, mpi::persistent_link) {
    bring_all_over<one_way, L>();
    bring_all_over<two_way, L>();
}

TEST_CASE("iterations of staged messages allocate nothing") {
    paired_rank<by_host> t{100};
    auto both = two_way::pattern<mpi::async_link>(t);
    auto trip = round_trip::pattern<mpi::link>(t);
    auto const before = ledger::allocations();
    for (int i = 0; i != 3; ++i) both(), trip();
    auto const allocated = ledger::allocations() - before;
    CHECK(allocated == 0);
}

TEST_CASE("persistent requests use the host regions, one for each device region") {
    paired_rank<by_host> t{8};
    auto const before = ledger::current();
    staged_link way{mpi::persistent_link{t.ranks, no_peer}, remote_memory{}};
    auto out = send_buffer(way, t.out.distinct_regions(8, 5));
    CHECK(ledger::current()[call::send_init] - before[call::send_init] == 5);
    CHECK(out.regions() == 5);
}

TEST_CASE("a staged link of greater depth than its number of host regions is refused") {
    paired_rank<by_host> t{8};
    auto const prepare = [&](std::size_t at_a_time) {
        staged_link way{mpi::persistent_link{t.ranks, no_peer, {}, {}, 5}, remote_memory{}, host_memory{}, at_a_time};
        static_cast<void>(send_buffer(way, t.out.distinct_regions(8, 3)));
    };
    CHECK_THROWS_AS(prepare(1), std::invalid_argument);
    CHECK_NOTHROW(prepare(5));
}
