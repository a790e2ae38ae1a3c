// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <limits>

namespace tools::replay {

/// Rank of a partner as it is recorded: the distance from the own rank to the partner's, modulo the size of the
/// communicator, so that the ranks of a ring or of a grid have equal events.
using distance = std::int32_t;

/// Partners that are no rank.
constexpr distance null_partner = -1; // MPI_PROC_NULL
constexpr distance any_partner = -2;  // MPI_ANY_SOURCE
constexpr std::int32_t any_tag = -1;  // MPI_ANY_TAG, and MPI_UNDEFINED for a communicator that was not made

/// Bits of `event::mode`: the type of a lock, and assertions. MPI libraries have other numbers.
enum mode_bit : std::int32_t {
    exclusive_lock = 1,
    shared_lock = 2,
    no_check = 4,
    no_store = 8,
    no_put = 16,
    no_precede = 32,
    no_succeed = 64
};

/// Argument that a call does not have.
constexpr auto absent = std::numeric_limits<std::int32_t>::min();

/// One call: its function, its call site, and the arguments that decide which messages it sends. Sites, types,
/// operations, communicators and lists are numbers in tables of the rank.
struct event {
    std::int32_t call = 0;
    std::int32_t site = 0;
    std::int32_t comm = absent;
    std::int32_t window = absent;
    std::int32_t to = absent;
    std::int32_t tag = absent;
    std::int32_t from = absent;
    std::int32_t recv_tag = absent;
    std::int32_t root = absent;
    std::int32_t type = absent;
    std::int32_t recv_type = absent;
    std::int32_t operation = absent;
    std::int32_t mode = absent;     // bits of an epoch of one-sided operations
    std::int32_t made = absent;     // the communicator or the window that the call made
    std::int32_t requests = absent; // list: how many requests ago each was started
    std::int32_t counts = absent;   // list of the counts of a v or w variant, or of the distances to a group's ranks
    std::int64_t count = absent;
    std::int64_t recv_count = absent;

    friend bool operator==(event const&, event const&) = default;
};

/// Hash that also depends on a further number.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) {
    hash = (hash ^ more) * 0x9e3779b97f4a7c15; // the golden ratio, as in splitmix64
    return hash ^ (hash >> 29);
}

} // namespace tools::replay
