// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// Blocks of different lengths in one region, one block per rank or neighbor, as MPI_Alltoallv takes them.
/// Displacements are in elements.
struct blocks {
    MPI_Datatype type = MPI_BYTE;     // of all elements
    std::vector<int> counts{};        // elements of each block
    std::vector<int> displacements{}; // of each block, in elements

    /// Blocks of `counts` elements, one after the other. Throws std::length_error if a count or a displacement exceeds
    /// an int.
    [[nodiscard]] static blocks packed(MPI_Datatype type, std::vector<std::size_t> const& counts) {
        blocks made{type};
        std::size_t at = 0;
        for (auto const n : counts) {
            made.counts.push_back(detail::int_count(n));
            made.displacements.push_back(detail::int_count(at));
            at += n;
        }
        return made;
    }
};

/// Blocks of different lengths and datatypes in one region, one block per rank or neighbor. Displacements are in bytes;
/// their type is int for MPI_Alltoallw and MPI_Aint for MPI_Neighbor_alltoallw.
template <class Displacement>
struct mixed_type_blocks {
    std::vector<MPI_Datatype> types{};         // of each block
    std::vector<int> counts{};                 // elements of each block
    std::vector<Displacement> displacements{}; // of each block, in bytes

    /// `n` equal blocks, one after the other. Throws std::length_error if a count exceeds an int, or a displacement
    /// exceeds `Displacement`.
    [[nodiscard]] static mixed_type_blocks packed(block each, std::size_t n) {
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
};

namespace detail {

/// Offsets, lengths and bytes of data of several blocks in one region. `Blocks` is `block` (consecutive blocks of one
/// length), `blocks` or `mixed_type_blocks`.
template <class Blocks>
class layout {
    static constexpr bool is_uniform = std::same_as<Blocks, block>;
    static constexpr bool has_types = requires(Blocks const& b) { b.types; };

public:
    using description = Blocks;

    /// Throws std::invalid_argument unless there are `n` blocks, and for a negative count or displacement;
    /// std::length_error for a count that exceeds an int.
    layout(Blocks b, std::size_t n) : blocks_{std::move(b)}, n_{n} {
        if constexpr (is_uniform) int_count(blocks_.count);
        else require_complete();
        if constexpr (has_types)
            for (auto const type : blocks_.types) elements_.emplace_back(type);
        else elements_.emplace_back(blocks_.type);
    }

    std::size_t blocks() const { return n_; }
    int count(std::size_t i = 0) const {
        if constexpr (is_uniform) return static_cast<int>(blocks_.count);
        else return blocks_.counts[i];
    }
    MPI_Datatype type() const { return blocks_.type; }
    std::size_t offset(std::size_t i) const {
        if constexpr (is_uniform) return element(i).extent(i * blocks_.count);
        else if constexpr (has_types) return static_cast<std::size_t>(blocks_.displacements[i]);
        else return element(i).extent(static_cast<std::size_t>(blocks_.displacements[i]));
    }
    /// Bytes that block i spans, and bytes of a region that holds all blocks. Empty blocks need no room in it.
    std::size_t span(std::size_t i) const { return element(i).span(static_cast<std::size_t>(count(i))); }
    std::size_t span() const {
        std::size_t end = 0;
        for (std::size_t i = 0; i != n_; ++i)
            if (span(i) != 0 && offset(i) + span(i) > end) end = offset(i) + span(i);
        return end;
    }
    /// Bytes of data in block i, and in all blocks.
    std::size_t payload(std::size_t i) const { return element(i).size(static_cast<std::size_t>(count(i))); }
    std::size_t payload() const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i != n_; ++i) sum += payload(i);
        return sum;
    }
    /// The counts of all blocks, as MPI takes them.
    auto counts() const {
        if constexpr (is_uniform) return count();
        else return not_null(blocks_.counts);
    }
    /// Calls f with the arguments that describe all blocks to MPI, and returns its result.
    int arguments(auto f) const {
        if constexpr (is_uniform) return f(counts(), type());
        else if constexpr (has_types) return f(counts(), not_null(blocks_.displacements), not_null(blocks_.types));
        else return f(counts(), not_null(blocks_.displacements), type());
    }

private:
    void require_complete() const {
        auto complete = blocks_.counts.size() == n_ && blocks_.displacements.size() == n_;
        if constexpr (has_types) complete = complete && blocks_.types.size() == n_;
        if (!complete)
            throw std::invalid_argument{"sonde::mpi: needs " + std::to_string(n_) +
                                        (has_types ? " types, counts and displacements" : " counts and displacements")};
        for (std::size_t i = 0; i != n_; ++i)
            if (blocks_.counts[i] < 0 || blocks_.displacements[i] < 0)
                throw std::invalid_argument{"sonde::mpi: a count or a displacement is negative"};
    }
    element_layout const& element(std::size_t i) const { return elements_[has_types ? i : 0]; }
    /// MPI libraries refuse a null pointer even if there are no blocks.
    template <class T>
    static T const* not_null(std::vector<T> const& values) {
        static constexpr T none{};
        return values.empty() ? &none : values.data();
    }

    Blocks blocks_;
    std::size_t n_;
    std::vector<element_layout> elements_; // one for each block, or one for all
};
using uniform_layout = layout<block>;
using varying_layout = layout<blocks>;

} // namespace detail

} // namespace sonde::mpi
