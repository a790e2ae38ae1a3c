// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/block.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Blocks of different lengths, one per rank (or neighbour), in one region: displacements count elements, too.
struct blocks {
    MPI_Datatype type = MPI_BYTE;
    std::vector<int> counts{};
    std::vector<int> displacements{};

    /// One after the other without gaps. Throws std::length_error where an int does not count the elements.
    static blocks packed(MPI_Datatype type, std::vector<std::size_t> const& counts);
};

namespace detail {

/// Bytes of all blocks, gaps not counted.
template <class Layout>
std::size_t moved_over(Layout const& all) {
    std::size_t sum = 0;
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
    std::size_t moved(std::size_t) const { return layout_.moved(each()); }
    std::size_t moved() const { return moved_over(*this); }
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
    std::size_t moved(std::size_t i) const { return layout_.moved(static_cast<std::size_t>(of_.counts[i])); }
    std::size_t moved() const { return moved_over(*this); }
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
