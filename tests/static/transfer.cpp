// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/patterns/rma.hpp>
#include <sonde/sim/rma.hpp>
#include <sonde/transfer.hpp>

#include <cstddef>
#include <string>

namespace transfer_concept {

// [satisfies]
struct store {
    void operator()(std::size_t i); // begins transfer i
    std::size_t places() const;
    sonde::traffic moves() const;
};
static_assert(sonde::Transfer<store>);
struct tracked_store : store { // each can be waited for alone, which MPI allows where the target is passive
    static constexpr bool passive_only = true;
    void settle();
};
static_assert(sonde::Transfer<tracked_store>);
// [/satisfies]

static_assert(sonde::Transfer<sonde::sim::put>);

// [misses]
struct no_call : store { void operator()(std::size_t i) = delete; };
struct no_places { void operator()(std::size_t i); sonde::traffic moves() const; };
struct no_moves { void operator()(std::size_t i); std::size_t places() const; };
struct numbers_nothing : store { void operator()(); };
struct says_what_it_moves_in_words : store { std::string moves() const; };
static_assert(!sonde::Transfer<no_call>);
static_assert(!sonde::Transfer<no_places>);
static_assert(!sonde::Transfer<no_moves>);
static_assert(!sonde::Transfer<numbers_nothing>);
static_assert(!sonde::Transfer<says_what_it_moves_in_words>);
// [/misses]

struct meeting {
    void open(auto side);
    void close(auto side);
};
struct locking : meeting { static constexpr bool passive = true; };

// [combinations]
static_assert(sonde::TransferIn<store, meeting>);
static_assert(sonde::TransferIn<store, locking>);
static_assert(sonde::TransferIn<tracked_store, locking>);
static_assert(!sonde::TransferIn<tracked_store, meeting>); // so rma{meeting, ..., tracked_store} does not compile
// [/combinations]

static_assert(!sonde::TransferIn<meeting, store>);
template <class E, class T>
concept OneWay = requires(E e, T t) { sonde::rma{e, sonde::role::initiator, std::size_t{1}, t}; };
template <class E, class T>
concept ThereAndBack = requires(E e, T t) { sonde::rma_ping_pong{e, sonde::role::initiator, std::size_t{1}, t}; };
template <class E, class T>
concept BothWays = requires(E e, T t) { sonde::rma_exchange{e, sonde::role::initiator, std::size_t{1}, t}; };
static_assert(OneWay<meeting, store> && ThereAndBack<meeting, store> && BothWays<meeting, store>);
static_assert(OneWay<locking, tracked_store> && BothWays<locking, tracked_store>);
static_assert(!ThereAndBack<locking, store>); // nobody waits for the other side
static_assert(!OneWay<meeting, tracked_store>);
static_assert(!ThereAndBack<meeting, tracked_store>);
static_assert(!BothWays<meeting, tracked_store>);
using sonde::sim::fence;
static_assert(sonde::Pattern<sonde::rma<fence, sonde::sim::put>>);
static_assert(sonde::Pattern<sonde::rma_ping_pong<fence, sonde::sim::put>>);
static_assert(sonde::Pattern<sonde::rma_exchange<fence, sonde::sim::put>>);

} // namespace transfer_concept
