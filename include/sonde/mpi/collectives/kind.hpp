// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/calls.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <climits>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// So many elements of a type, one after the other: what one rank sends to, or gets from, another.
struct block {
    MPI_Datatype type = MPI_BYTE;
    std::size_t count = 0;
};

/// Blocks of different lengths, one per rank (or neighbour), in one region: displacements count elements, too.
struct blocks {
    MPI_Datatype type = MPI_BYTE;
    std::vector<int> counts{};
    std::vector<int> displacements{};

    /// One after the other without gaps. Throws std::length_error where an int does not count the elements.
    static blocks packed(MPI_Datatype type, std::vector<std::size_t> const& counts);
};

/// Where what a rank sends lies: in a region of its own, or (MPI_IN_PLACE) where the result will be.
enum class buffers : unsigned char { apart, in_place };
constexpr auto in_place = buffers::in_place;

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

constexpr int everyone = -1;

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
///     k.moves() -> traffic           share of this rank in the bytes of the operation; bus-bandwidth factor
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

/// MPI counts with an int. Throws std::length_error for more.
inline int count_of(std::size_t n) {
    if (n > INT_MAX)
        throw std::length_error{"sonde::mpi: " + std::to_string(n) + " elements; a collective counts to " +
                                std::to_string(INT_MAX)};
    return static_cast<int>(n);
}

/// Bytes between the elements of a type, and bytes that `n` of them need.
class element_layout {
public:
    element_layout() = default;
    explicit element_layout(MPI_Datatype type) {
        if (type == MPI_DATATYPE_NULL) throw std::invalid_argument{"sonde::mpi: the datatype is null"};
        placement const one{type};
        if (one.first < 0 || one.step < 0) throw std::invalid_argument{"sonde::mpi: the type begins before its region"};
        end_ = static_cast<std::size_t>(one.end);
        step_ = static_cast<std::size_t>(one.step);
        MPI_Count size = 0; // more than an int counts, where a type was made for a large message
        check(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
        size_ = static_cast<std::size_t>(size);
    }
    std::size_t step(std::size_t n) const { return n * step_; }
    std::size_t span(std::size_t n) const { return n == 0 ? 0 : (n - 1) * step_ + end_; }
    double moved(std::size_t n) const { return static_cast<double>(n) * static_cast<double>(size_); }

private:
    std::size_t end_ = 0;
    std::size_t step_ = 0;
    std::size_t size_ = 0;
};

/// This rank among the others, on the group's communicator, which is the group's: the group must outlive the kind.
struct member {
    MPI_Comm comm;
    int rank;
    int size;
    explicit member(group const& ranks) : comm{ranks.comm()}, rank{ranks.rank()}, size{ranks.size()} {}

    std::size_t peers() const { return static_cast<std::size_t>(size); }
    std::size_t self() const { return static_cast<std::size_t>(rank); }
    /// This rank's share of an operation of so many bytes, one operation in all.
    traffic share(double bytes, double bus) const { return {bytes / size, 1.0 / size, 1, bus}; }
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

/// Bytes of all blocks, gaps not counted.
template <class Layout>
double moved_over(Layout const& all) {
    double sum = 0;
    for (std::size_t i = 0; i != all.blocks(); ++i) sum += all.moved(i);
    return sum;
}

/// Blocks of the same length, one after the other.
class even {
public:
    even(block each, std::size_t n) : layout_{each.type}, type_{each.type}, count_{count_of(each.count)}, n_{n} {}

    std::size_t blocks() const { return n_; }
    std::size_t at(std::size_t i) const { return layout_.step(i * each()); }
    std::size_t bytes(std::size_t = 0) const { return layout_.span(each()); }
    std::size_t span() const { return layout_.span(n_ * each()); }
    double moved(std::size_t) const { return layout_.moved(each()); }
    double moved() const { return moved_over(*this); }
    int count() const { return count_; }
    MPI_Datatype type() const { return type_; }

private:
    std::size_t each() const { return static_cast<std::size_t>(count_); }

    element_layout layout_;
    MPI_Datatype type_;
    int count_;
    std::size_t n_;
};

/// As MPI takes it: libraries refuse null, though there be no block.
template <class T>
T const* array_of(std::vector<T> const& values) {
    static constexpr T none{};
    return values.empty() ? &none : values.data();
}

/// Bytes of a region that holds all blocks which have elements.
template <class Layout>
std::size_t span_over(Layout const& all) {
    std::size_t most = 0;
    for (std::size_t i = 0; i != all.blocks(); ++i)
        if (all.bytes(i) != 0 && all.at(i) + all.bytes(i) > most) most = all.at(i) + all.bytes(i);
    return most;
}

/// Blocks of different lengths.
class varied {
public:
    /// Throws std::invalid_argument where there are not `n` blocks, or one is negative.
    varied(sonde::mpi::blocks b, std::size_t n) : of_{std::move(b)}, layout_{of_.type} {
        if (of_.counts.size() != n || of_.displacements.size() != n)
            throw std::invalid_argument{"sonde::mpi: needs " + std::to_string(n) + " counts and displacements"};
        for (std::size_t i = 0; i != n; ++i)
            if (of_.counts[i] < 0 || of_.displacements[i] < 0)
                throw std::invalid_argument{"sonde::mpi: a count or a displacement is negative"};
    }

    std::size_t blocks() const { return of_.counts.size(); }
    std::size_t at(std::size_t i) const { return layout_.step(static_cast<std::size_t>(of_.displacements[i])); }
    std::size_t bytes(std::size_t i) const { return layout_.span(static_cast<std::size_t>(of_.counts[i])); }
    std::size_t span() const { return span_over(*this); }
    double moved(std::size_t i) const { return layout_.moved(static_cast<std::size_t>(of_.counts[i])); }
    double moved() const { return moved_over(*this); }
    int count(std::size_t i) const { return of_.counts[i]; }
    int const* counts() const { return array_of(of_.counts); }
    int const* displacements() const { return array_of(of_.displacements); }
    MPI_Datatype type() const { return of_.type; }

private:
    sonde::mpi::blocks of_;
    element_layout layout_;
};

} // namespace detail

inline blocks blocks::packed(MPI_Datatype type, std::vector<std::size_t> const& counts) {
    blocks made{type, {}, {}};
    std::size_t at = 0;
    for (auto const n : counts) {
        made.counts.push_back(detail::count_of(n));
        made.displacements.push_back(detail::count_of(at));
        at += n;
    }
    return made;
}

} // namespace sonde::mpi
