// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "decomposition.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace heat {

/// Temperatures of a block of cells, row by row, with one more cell on every side: a ghost cell, or a cell of the wall.
class field {
public:
    field(int rows, int columns)
        : rows_{rows}, columns_{columns},
          cells_(static_cast<std::size_t>(rows + 2) * static_cast<std::size_t>(columns + 2)) {}

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    /// Distance between two rows.
    int stride() const { return columns_ + 2; }
    std::span<double> cells() { return cells_; }

    /// Rows 1 to rows(), columns 1 to columns(); ghosts at 0 and beyond.
    double* cell(int row, int column) { return cells_.data() + place(row, column); }
    double const* cell(int row, int column) const { return cells_.data() + place(row, column); }

    /// The first inner cell, and the first ghost, along a side.
    double* edge(side s) { return cell(s == down ? rows_ : 1, s == right ? columns_ : 1); }
    double* ghost(side s) {
        return cell(s == up ? 0 : s == down ? rows_ + 1 : 1, s == left ? 0 : s == right ? columns_ + 1 : 1);
    }
    /// Cells along a side.
    int length(side s) const { return s == up || s == down ? columns_ : rows_; }

    void swap(field& other) noexcept { std::swap(cells_, other.cells_); }

private:
    std::size_t place(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(stride()) + static_cast<std::size_t>(column);
    }

    int rows_;
    int columns_;
    std::vector<double> cells_;
};

/// Number of bytes, and of messages, that a block sends in one exchange with its neighbors.
struct halo_size {
    std::size_t bytes = 0;
    std::size_t messages = 0;
};

inline halo_size size_of_halo(decomposition const& part, field const& u) {
    halo_size size;
    for (auto const s : sides) {
        if (part.neighbor(s) == MPI_PROC_NULL) continue;
        size.bytes += static_cast<std::size_t>(u.length(s)) * sizeof(double);
        size.messages += 1;
    }
    return size;
}

} // namespace heat
