// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/calls.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde::mpi {

/// Where what a rank sends lies: in a region of its own, or (MPI_IN_PLACE) where the result will be.
enum class buffers : unsigned char { apart, in_place };
inline constexpr auto in_place = buffers::in_place;

/// The root of a collective: a rank, or each rank in turn, from 0 on, iteration by iteration.
struct root {
    int rank = 0;
    bool rotates = false;
    constexpr root(int fixed = 0) : rank{fixed} {}
    static constexpr root rotating() {
        root r;
        r.rotates = true;
        return r;
    }
};

/// What changes from iteration to iteration.
struct turn {
    void* out;
    void* in;
    int root;
};

inline constexpr int everyone = -1;

/// Bytes that a rank contributes: to one rank, or the same to everyone.
struct part {
    std::size_t at;
    std::size_t bytes;
    int to = everyone;
    bool in_receive = false; // they lie in the region that is received into
};

/// Bytes that a rank receives: from one rank, or combined by the operation from ranks `first` to `last` in this order;
/// from what each contributes to `to`, beginning `skip` bytes into that.
struct piece {
    std::size_t at;
    std::size_t bytes;
    int first;
    int last;
    int to = everyone;
    std::size_t skip = 0;
};

/// One collective operation as this rank sees it, without buffers: a value of four hooks. It refers to a group, which
/// must outlive it.
///
///     k.sends(), k.receives()        bytes that the regions of this rank have at least; 0: not looked at
///     k.parts(root), k.pieces(root)  what this rank contributes, and what it must find then (for types without gaps)
///     k.moves() -> traffic           bytes of the operation, shared by its ranks; bus-bandwidth factor
///     k.launch(f, turn, more...)     f(the arguments of MPI's call, more...)
///     K::called                      the functions of the MPI library: `calls`
///     k.at() -> root, k.ranks()      of rooted operations only
template <class K>
concept Collective = requires(K const& k, turn t) {
    K::called.blocking_name;
    { k.sends() } -> std::convertible_to<std::size_t>;
    { k.receives() } -> std::convertible_to<std::size_t>;
    { k.parts(0) } -> std::convertible_to<std::vector<part>>;
    { k.pieces(0) } -> std::convertible_to<std::vector<piece>>;
    { k.moves() } -> std::convertible_to<traffic>;
    k.launch(K::called.blocking, t);
};

template <class K>
concept Rooted = Collective<K> && requires(K const& k) {
    { k.at() } -> std::convertible_to<root>;
    { k.ranks() } -> std::convertible_to<int>;
};

namespace detail {

/// This rank among the others, on the group's communicator, which is the group's: the group must outlive the kind.
struct member {
    MPI_Comm comm;
    int rank;
    int size;
    explicit member(group const& ranks) : comm{ranks.comm()}, rank{ranks.rank()}, size{ranks.size()} {}

    std::size_t peers() const { return static_cast<std::size_t>(size); }
    std::size_t self() const { return static_cast<std::size_t>(rank); }
    /// Traffic of an operation; `bytes` is the total, which all ranks report.
    traffic share(std::size_t bytes, double bus) const { return {bytes, 1, 1, bus, peers()}; }
    /// The share of peers' data in all data: nothing moves from a rank to itself.
    double others() const { return static_cast<double>(size - 1) / size; }
};

/// Throws std::invalid_argument for a root that is no rank.
inline root checked(root at, int size) {
    if (at.rank < 0 || at.rank >= size)
        throw std::invalid_argument{"sonde::mpi: root " + std::to_string(at.rank) + " is none of the ranks 0 to " +
                                    std::to_string(size - 1)};
    return at;
}

} // namespace detail

} // namespace sonde::mpi
