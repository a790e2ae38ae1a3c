// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// Blocks of different lengths in one region, one block per rank or neighbor, as MPI_Alltoallv takes them.
/// Displacements are in elements. MPI 4.0 has functions for numbers that exceed an int; before MPI 4.0 the operation
/// refuses them.
struct blocks {
    MPI_Datatype type = MPI_BYTE;          // of all elements
    std::vector<MPI_Count> counts{};       // elements of each block
    std::vector<MPI_Aint> displacements{}; // of each block, in elements

    /// Blocks of `counts` elements, one after the other.
    [[nodiscard]] static blocks packed(MPI_Datatype type, std::vector<std::size_t> const& counts) {
        blocks made{type};
        std::size_t at = 0;
        for (auto const n : counts) {
            made.counts.push_back(static_cast<MPI_Count>(n));
            made.displacements.push_back(static_cast<MPI_Aint>(at));
            at += n;
        }
        return made;
    }
};

/// Blocks of different lengths and datatypes in one region, one block per rank or neighbor. Displacements are in bytes.
struct mixed_type_blocks {
    std::vector<MPI_Datatype> types{};     // of each block
    std::vector<MPI_Count> counts{};       // elements of each block
    std::vector<MPI_Aint> displacements{}; // of each block, in bytes

    /// `n` equal blocks, one after the other.
    [[nodiscard]] static mixed_type_blocks packed(block each, std::size_t n) {
        detail::element_layout const element{each.type};
        mixed_type_blocks made;
        for (std::size_t i = 0; i != n; ++i) {
            made.types.push_back(each.type);
            made.counts.push_back(static_cast<MPI_Count>(each.count));
            made.displacements.push_back(static_cast<MPI_Aint>(element.extent(i * each.count)));
        }
        return made;
    }
};

namespace detail {

/// Numbers for a function of MPI, which takes an array of int or, in its form with large counts, of `Large`.
template <class Large>
struct array_argument {
    int const* ints;
    Large const* large;
    operator int const*() const { return ints; }
    operator Large const*() const { return large; }
};

/// True if a number exceeds an int.
template <class Large>
bool exceeds_int(std::vector<Large> const& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [](Large n) { return n > INT_MAX; });
}

/// The numbers as int, which a number that exceeds an int is not. Throws std::invalid_argument for a negative number.
/// A zero is added to both arrays, because MPI libraries refuse a null pointer even if there are no blocks.
template <class Large>
std::vector<int> as_int(std::vector<Large>& numbers) {
    std::vector<int> ints;
    for (auto const n : numbers) {
        if (n < 0) throw std::invalid_argument{"sonde::mpi: a count or a displacement is negative"};
        ints.push_back(static_cast<int>(n));
    }
    ints.push_back(0);
    numbers.push_back(0);
    return ints;
}

/// Offsets, lengths and bytes of data of several blocks in one region. `Blocks` is `block` (consecutive blocks of one
/// length), `blocks` or `mixed_type_blocks`. The function without large counts takes displacements as `Displacement`:
/// int, or MPI_Aint (MPI_Neighbor_alltoallw).
template <class Blocks, class Displacement = int>
class layout {
    static constexpr bool is_uniform = std::same_as<Blocks, block>;
    static constexpr bool has_types = requires(Blocks const& b) { b.types; };

public:
    using description = Blocks;

    /// Throws std::invalid_argument unless there are `n` blocks, and for a negative count or displacement;
    /// std::length_error for a number that exceeds an int before MPI 4.0, and for more bytes than a region can have.
    layout(Blocks b, std::size_t n) : blocks_{std::move(b)}, n_{n} {
        if constexpr (!is_uniform) {
            require_complete();
            counts_ = as_int(blocks_.counts);
            displacements_ = as_int(blocks_.displacements);
        }
        if constexpr (has_types) {
            for (auto const type : blocks_.types) elements_.emplace_back(type);
            blocks_.types.push_back(MPI_DATATYPE_NULL); // MPI takes no null pointer
        } else elements_.emplace_back(blocks_.type);
        require_sizes();
    }

    std::size_t blocks() const { return n_; }
    /// True if the blocks need the function with large counts.
    bool is_large() const {
        if constexpr (is_uniform) return blocks_.count > INT_MAX;
        else
            return exceeds_int(blocks_.counts) ||
                   (std::same_as<Displacement, int> && exceeds_int(blocks_.displacements));
    }
    /// Number of elements in block i, as an argument.
    count_argument count(std::size_t i = 0) const { return {elements(i)}; }
    MPI_Datatype type() const { return blocks_.type; }
    std::size_t offset(std::size_t i) const {
        if constexpr (is_uniform) return element(i).extent(i * blocks_.count);
        else if constexpr (has_types) return displacement(i);
        else return element(i).extent(displacement(i));
    }
    /// Bytes that block i spans, and bytes of a region that holds all blocks. Empty blocks need no room in it.
    std::size_t span(std::size_t i) const { return element(i).span(elements(i)); }
    std::size_t span() const {
        std::size_t end = 0;
        for (std::size_t i = 0; i != n_; ++i)
            if (span(i) != 0 && offset(i) + span(i) > end) end = offset(i) + span(i);
        return end;
    }
    /// Bytes of data in block i, and in all blocks.
    std::size_t payload(std::size_t i) const { return element(i).size(elements(i)); }
    std::size_t payload() const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i != n_; ++i) sum += payload(i);
        return sum;
    }
    /// The counts of all blocks, as MPI takes them.
    auto counts() const {
        if constexpr (is_uniform) return count();
        else return array_argument<MPI_Count>{counts_.data(), blocks_.counts.data()};
    }
    /// Calls f with the arguments that describe all blocks to MPI, and returns its result.
    int arguments(auto f) const {
        if constexpr (is_uniform) {
            return f(counts(), type());
        } else {
            array_argument<MPI_Aint> const displacements{displacements_.data(), blocks_.displacements.data()};
            if constexpr (has_types) return f(counts(), displacements, blocks_.types.data());
            else return f(counts(), displacements, type());
        }
    }

private:
    void require_complete() const {
        auto complete = blocks_.counts.size() == n_ && blocks_.displacements.size() == n_;
        if constexpr (has_types) complete = complete && blocks_.types.size() == n_;
        if (!complete)
            throw std::invalid_argument{"sonde::mpi: needs " + std::to_string(n_) +
                                        (has_types ? " types, counts and displacements" : " counts and displacements")};
    }
    void require_sizes() const {
        if constexpr (is_uniform) {
            require_counted(blocks_.count);
            return element(0).require_addressable(blocks_.count, n_);
        } else {
            for (std::size_t i = 0; i != n_; ++i) {
                require_counted(elements(i));
                if constexpr (std::same_as<Displacement, int>) require_counted(displacement(i));
                element(i).require_addressable(elements(i));
                if constexpr (!has_types) element(i).require_addressable(displacement(i) + elements(i));
            }
        }
    }
    std::size_t elements(std::size_t i) const {
        if constexpr (is_uniform) return blocks_.count;
        else return static_cast<std::size_t>(blocks_.counts[i]);
    }
    std::size_t displacement(std::size_t i) const { return static_cast<std::size_t>(blocks_.displacements[i]); }
    element_layout const& element(std::size_t i) const { return elements_[has_types ? i : 0]; }

    Blocks blocks_;
    std::size_t n_;
    std::vector<element_layout> elements_;    // one for each block, or one for all
    std::vector<int> counts_, displacements_; // as the functions without large counts take them
};
using uniform_layout = layout<block>;
using varying_layout = layout<blocks>;

} // namespace detail

} // namespace sonde::mpi
