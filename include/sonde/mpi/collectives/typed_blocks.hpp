// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/blocks.hpp>

#include <limits>
#include <utility>

namespace sonde::mpi {

/// Blocks of different lengths and types, one per rank or neighbour; displacements count bytes, with an int
/// (MPI_Alltoallw) or an MPI_Aint (MPI_Neighbor_alltoallw).
template <class Displacement>
struct typed_blocks {
    std::vector<MPI_Datatype> types{};
    std::vector<int> counts{};
    std::vector<Displacement> displacements{};

    /// `n` equal blocks, one after the other. Throws std::length_error where a count or a displacement is too large.
    static typed_blocks equal(block each, std::size_t n);
};

namespace detail {

/// Blocks of different lengths and types.
template <class Displacement>
class typed {
public:
    /// Throws std::invalid_argument where there are not `n` blocks, or one is negative.
    typed(typed_blocks<Displacement> b, std::size_t n) : of_{std::move(b)} {
        if (of_.counts.size() != n || of_.displacements.size() != n || of_.types.size() != n)
            throw std::invalid_argument{"sonde::mpi: needs " + std::to_string(n) + " types, counts and displacements"};
        for (std::size_t i = 0; i != n; ++i) {
            if (of_.counts[i] < 0 || of_.displacements[i] < 0)
                throw std::invalid_argument{"sonde::mpi: a count or a displacement is negative"};
            layouts_.emplace_back(of_.types[i]);
        }
    }

    std::size_t blocks() const { return of_.counts.size(); }
    std::size_t at(std::size_t i) const { return static_cast<std::size_t>(of_.displacements[i]); }
    std::size_t bytes(std::size_t i) const { return layouts_[i].span(static_cast<std::size_t>(of_.counts[i])); }
    std::size_t span() const { return span_over(*this); }
    std::size_t moved(std::size_t i) const { return layouts_[i].moved(static_cast<std::size_t>(of_.counts[i])); }
    std::size_t moved() const { return moved_over(*this); }
    int const* counts() const { return array_of(of_.counts); }
    Displacement const* displacements() const { return array_of(of_.displacements); }
    MPI_Datatype const* types() const { return array_of(of_.types); }

private:
    typed_blocks<Displacement> of_;
    std::vector<element_layout> layouts_;
};

} // namespace detail

template <class Displacement>
typed_blocks<Displacement> typed_blocks<Displacement>::equal(block each, std::size_t n) {
    detail::element_layout const layout{each.type};
    auto const most = static_cast<std::size_t>(std::numeric_limits<Displacement>::max());
    typed_blocks made;
    for (std::size_t i = 0; i != n; ++i) {
        auto const at = layout.step(i * each.count);
        if (at > most) throw std::length_error{"sonde::mpi: a displacement of " + std::to_string(at) + " bytes"};
        made.types.push_back(each.type);
        made.counts.push_back(detail::count_of(each.count));
        made.displacements.push_back(static_cast<Displacement>(at));
    }
    return made;
}

} // namespace sonde::mpi
