// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/run.hpp>
#include <sonde/memory.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

/// What links of any backend deliver, from and to memory of any kind.
namespace conformance {

constexpr std::size_t message_rounds = 3, window = 5;
constexpr std::size_t message_sizes[] = {0, 1, 8, 5000, 300'001}; // inlined, eager, rendezvous

/// Byte i of a message: it tells the rank that wrote it, the round and the message.
inline std::byte message_byte(int rank, std::size_t round, std::size_t message, std::size_t i) {
    auto const mixed =
        (i + 1) * 2654435761u + static_cast<std::size_t>(rank + 1) * 40503u + round * 97u + message * 193u;
    return static_cast<std::byte>(mixed >> 7);
}
inline void write_message(sonde::region into, int rank, std::size_t round, std::size_t message) {
    for (std::size_t i = 0; i != into.size(); ++i) into[i] = message_byte(rank, round, message, i);
}
inline std::size_t wrong_bytes(sonde::region found, int rank, std::size_t round, std::size_t message) {
    std::size_t errors = 0;
    for (std::size_t i = 0; i != found.size(); ++i) errors += found[i] != message_byte(rank, round, message, i);
    return errors;
}

/// A rank in the largest number of pairs, and windows of n-byte messages both ways, each message in a region of its
/// own.
template <class G, class M = sonde::host_memory>
struct paired_rank {
    G& ranks;
    std::size_t n;
    sonde::pairing at = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    std::size_t stride = sonde::allocation<M>::stride_of(n);
    sonde::allocation<M> out{window * stride}, in{window * stride};

    paired_rank(G& all, std::size_t bytes) : ranks{all}, n{bytes} {}

    auto sent() const { return out.distinct_regions(n, window); }
    auto received() const { return in.distinct_regions(n, window); }
    void write(std::size_t round) {
        std::vector<std::byte> own(n);
        for (std::size_t w = 0; w != window; ++w) {
            write_message(own, ranks.rank(), round, w);
            out.write(w * stride, own);
        }
        in.fill(std::byte{0});
    }
    /// Wrong bytes of the first messages, which `from` sent, and changed bytes beside them.
    std::size_t wrong(int from, std::size_t round, std::size_t messages) const {
        std::size_t errors = 0;
        std::vector<std::byte> found(window * stride);
        in.read(0, found);
        for (std::size_t w = 0; w != window; ++w) {
            auto const one = sonde::region{found}.subspan(w * stride, stride);
            auto const arrived = w < messages ? n : 0;
            errors += wrong_bytes(one.first(arrived), from, round, w);
            for (auto const beside : one.subspan(arrived)) errors += beside != std::byte{0};
        }
        return errors;
    }
    /// Wrong bytes that a pattern delivers on all ranks, which receive messages(role) from their peer.
    std::size_t errors_of(auto& pattern, auto messages) {
        return sonde::validate(
            ranks, pattern, [this](std::size_t round) { write(round); },
            [&](std::size_t round) { return wrong(at.peer, round, messages(at.role)); }, message_rounds);
    }
};

constexpr std::size_t both_get_one(sonde::role who) { return who == sonde::role::idle ? 0 : 1; }
constexpr std::size_t both_get_all(sonde::role who) { return who == sonde::role::idle ? 0 : window; }
constexpr std::size_t responders_get_all(sonde::role who) { return who == sonde::role::responder ? window : 0; }

/// Errors of a round trip of n bytes over the link of `make(peer)`.
template <class M = sonde::host_memory>
std::size_t round_trip_errors(auto& ranks, std::size_t n, auto make) {
    paired_rank<std::remove_reference_t<decltype(ranks)>, M> t{ranks, n};
    sonde::ping_pong pattern{make(t.at.peer), t.at.role, t.out.first(n), t.in.first(n)};
    return t.errors_of(pattern, both_get_one);
}

/// Errors of a window of n-byte messages in one direction; `token(rank)` is a link and a buffer for a token back.
template <class M = sonde::host_memory>
std::size_t stream_errors(auto& ranks, std::size_t n, auto make, auto token) {
    paired_rank<std::remove_reference_t<decltype(ranks)>, M> t{ranks, n};
    auto [back, buffer] = token(t);
    sonde::stream pattern{make(t.at.peer), t.at.role, window, t.sent(), t.received(), std::move(back), buffer};
    return t.errors_of(pattern, responders_get_all);
}

/// Errors of windows in both directions.
template <class M = sonde::host_memory>
std::size_t exchange_errors(auto& ranks, std::size_t n, auto make) {
    paired_rank<std::remove_reference_t<decltype(ranks)>, M> t{ranks, n};
    sonde::bidirectional pattern{make(t.at.peer), t.at.role, window, t.sent(), t.received()};
    return t.errors_of(pattern, both_get_all);
}

/// A round trip delivers every byte in both directions, whichever ranks are idle.
template <class M = sonde::host_memory>
void check_round_trips(auto& ranks, auto make) {
    for (auto const n : message_sizes) {
        auto const errors = round_trip_errors<M>(ranks, n, make);
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

/// Every message of a window arrives in its own region, in one direction and in both.
template <class M = sonde::host_memory>
void check_windows(auto& ranks, auto make, auto token) {
    for (auto const n : message_sizes) {
        auto const one_way = stream_errors<M>(ranks, n, make, token);
        auto const both_ways = exchange_errors<M>(ranks, n, make);
        CAPTURE(n);
        CHECK(one_way == 0);
        CHECK(both_ways == 0);
    }
}

/// A link whose rank has no peer waits for nothing and writes nothing.
void check_no_peer(auto link) {
    sonde::host_allocation out{16}, in{16};
    in.fill(std::byte{42});
    sonde::ping_pong pattern{std::move(link), sonde::role::initiator, out.first(16), in.first(16)};
    pattern();
    std::size_t changed = 0;
    for (auto const b : in.bytes()) changed += b != std::byte{42};
    CHECK(changed == 0);
}

} // namespace conformance
