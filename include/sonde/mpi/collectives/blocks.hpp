// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/operation.hpp>
#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Blocks of different lengths in one region, one per rank or neighbor, as MPI_Alltoallv takes them: displacements
/// count elements.
struct blocks {
    MPI_Datatype type = MPI_BYTE;
    std::vector<int> counts{};
    std::vector<int> displacements{};

    /// Blocks of `counts` elements, one after the other. Throws std::length_error if a count or a displacement exceeds
    /// an int.
    static blocks packed(MPI_Datatype type, std::vector<std::size_t> const& counts);
};

/// Blocks of different lengths and datatypes in one region, one per rank or neighbor: displacements count bytes. Their
/// type is int for MPI_Alltoallw, MPI_Aint for MPI_Neighbor_alltoallw.
template <class Displacement>
struct mixed_type_blocks {
    std::vector<MPI_Datatype> types{};
    std::vector<int> counts{};
    std::vector<Displacement> displacements{};

    /// `n` equal blocks, one after the other. Throws std::length_error if a count exceeds an int, or a displacement its
    /// type.
    static mixed_type_blocks packed(block each, std::size_t n);
};

namespace detail {

// Layouts: the offsets of blocks in a region, the bytes that they occupy from the first to the last (`span`), and the
// bytes of data among these (`payload`). `arguments(f)` calls f with the arguments that describe all blocks to MPI.

/// Blocks of one length, one after the other.
class uniform_layout {
public:
    using description = block;

    uniform_layout(block each, std::size_t n)
        : element_{each.type}, type_{each.type}, count_{int_count(each.count)}, blocks_{n} {}

    std::size_t blocks() const { return blocks_; }
    std::size_t offset(std::size_t i) const { return element_.extent(i * elements()); }
    std::size_t span(std::size_t) const { return element_.span(elements()); }
    std::size_t span() const { return element_.span(blocks_ * elements()); }
    std::size_t payload(std::size_t) const { return element_.size(elements()); }
    std::size_t payload() const { return element_.size(blocks_ * elements()); }
    int count(std::size_t = 0) const { return count_; }
    int counts() const { return count_; }
    MPI_Datatype type() const { return type_; }
    template <class F>
    int arguments(F f) const {
        return f(count_, type_);
    }

private:
    std::size_t elements() const { return static_cast<std::size_t>(count_); }

    element_layout element_;
    MPI_Datatype type_;
    int count_;
    std::size_t blocks_;
};

/// Blocks of different lengths; `Blocks` is `blocks` or `mixed_type_blocks`.
template <class Blocks>
class varying_layout {
    static constexpr bool has_types = requires(Blocks const& b) { b.types; };

public:
    using description = Blocks;

    /// Throws std::invalid_argument unless there are `n` blocks, and for a negative count or displacement.
    varying_layout(Blocks b, std::size_t n) : blocks_{std::move(b)} {
        auto complete = blocks_.counts.size() == n && blocks_.displacements.size() == n;
        if constexpr (has_types) complete = complete && blocks_.types.size() == n;
        if (!complete)
            throw std::invalid_argument{"sonde::mpi: needs " + std::to_string(n) +
                                        (has_types ? " types, counts and displacements" : " counts and displacements")};
        for (std::size_t i = 0; i != n; ++i)
            if (blocks_.counts[i] < 0 || blocks_.displacements[i] < 0)
                throw std::invalid_argument{"sonde::mpi: a count or a displacement is negative"};
        if constexpr (has_types)
            for (auto const type : blocks_.types) elements_.emplace_back(type);
        else elements_.emplace_back(blocks_.type);
    }

    std::size_t blocks() const { return blocks_.counts.size(); }
    std::size_t offset(std::size_t i) const {
        auto const displacement = static_cast<std::size_t>(blocks_.displacements[i]);
        if constexpr (has_types) return displacement;
        else return element(i).extent(displacement);
    }
    std::size_t span(std::size_t i) const { return element(i).span(static_cast<std::size_t>(blocks_.counts[i])); }
    /// Size of a region that holds all blocks with elements.
    std::size_t span() const {
        std::size_t end = 0;
        for (std::size_t i = 0; i != blocks(); ++i)
            if (span(i) != 0 && offset(i) + span(i) > end) end = offset(i) + span(i);
        return end;
    }
    std::size_t payload(std::size_t i) const { return element(i).size(static_cast<std::size_t>(blocks_.counts[i])); }
    std::size_t payload() const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i != blocks(); ++i) sum += payload(i);
        return sum;
    }
    int count(std::size_t i) const { return blocks_.counts[i]; }
    int const* counts() const { return not_null(blocks_.counts); }
    MPI_Datatype type() const { return blocks_.type; }
    template <class F>
    int arguments(F f) const {
        auto const* const displacements = not_null(blocks_.displacements);
        if constexpr (has_types) return f(counts(), displacements, not_null(blocks_.types));
        else return f(counts(), displacements, type());
    }

private:
    element_layout const& element(std::size_t i) const { return elements_[has_types ? i : 0]; }
    /// MPI libraries refuse a null pointer even if there are no blocks.
    template <class T>
    static T const* not_null(std::vector<T> const& values) {
        static constexpr T none{};
        return values.empty() ? &none : values.data();
    }

    Blocks blocks_;
    std::vector<element_layout> elements_; // of each block, or one of all
};

/// Block i for rank i.
template <class Layout>
std::vector<contribution> block_for_each_rank(Layout const& all, bool in_recvbuf = false) {
    std::vector<contribution> found;
    for (std::size_t i = 0; i != all.blocks(); ++i)
        found.push_back({all.offset(i), all.span(i), static_cast<int>(i), in_recvbuf});
    return found;
}

/// Block i from rank i.
template <class Layout>
std::vector<expected_block> block_from_each_rank(Layout const& all, int destination = all_ranks) {
    std::vector<expected_block> found;
    for (std::size_t i = 0; i != all.blocks(); ++i)
        found.push_back({all.offset(i), all.span(i), static_cast<int>(i), static_cast<int>(i), destination});
    return found;
}

} // namespace detail

inline blocks blocks::packed(MPI_Datatype type, std::vector<std::size_t> const& counts) {
    blocks made{type, {}, {}};
    std::size_t at = 0;
    for (auto const n : counts) {
        made.counts.push_back(detail::int_count(n));
        made.displacements.push_back(detail::int_count(at));
        at += n;
    }
    return made;
}

template <class Displacement>
mixed_type_blocks<Displacement> mixed_type_blocks<Displacement>::packed(block each, std::size_t n) {
    detail::element_layout const element{each.type};
    auto const most = static_cast<std::size_t>(std::numeric_limits<Displacement>::max());
    mixed_type_blocks made;
    for (std::size_t i = 0; i != n; ++i) {
        auto const at = element.extent(i * each.count);
        if (at > most) throw std::length_error{"sonde::mpi: a displacement of " + std::to_string(at) + " bytes"};
        made.types.push_back(each.type);
        made.counts.push_back(detail::int_count(each.count));
        made.displacements.push_back(static_cast<Displacement>(at));
    }
    return made;
}

} // namespace sonde::mpi
