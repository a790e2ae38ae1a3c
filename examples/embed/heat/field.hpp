// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heat {

/// Cells of the unit square between its walls, which are kept at temperature 0.
struct grid {
    int rows = 768;
    int columns = 1024;

    double height() const { return 1.0 / (rows + 1); }
    double width() const { return 1.0 / (columns + 1); }
};

/// The diffusion equation u_t = u_xx + u_yy with explicit Euler steps and central differences is stable for time steps
/// up to this one (the amplification of the shortest waves, von Neumann's criterion).
inline double stable_time_step(grid const& g) {
    return 0.5 / (1 / (g.width() * g.width()) + 1 / (g.height() * g.height()));
}

/// The temperature at the start: a hot spot, off center so that no symmetry can hide an error, above a slope.
inline double initial_temperature(double x, double y) {
    return std::exp(-20 * ((x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6))) + 0.2 * x * (1 - y);
}

/// The sides of a block, in the order in which MPI counts the neighbors on a Cartesian communicator.
enum side { up, down, left, right };
constexpr std::array sides{up, down, left, right};
constexpr side opposite(side s) { return static_cast<side>(s ^ 1); }

/// A contiguous part of n elements: its begin and its number of elements.
struct section {
    int first;
    int count;
};

/// Part `index` of n elements divided into `parts`: the first n mod parts of the parts have one element more.
inline section cut(int n, int parts, int index) {
    auto const least = n / parts, longer = n % parts;
    return {index * least + (index < longer ? index : longer), least + (index < longer ? 1 : 0)};
}

/// A grid divided into blocks, one for each rank, on a Cartesian communicator, which the object owns.
class decomposition {
public:
    /// Collective over the communicator. Throws std::invalid_argument, on all ranks, if a rank would get no cell.
    decomposition(MPI_Comm parent, grid whole) : grid_{whole} {
        std::array<int, 2> const walls{};
        int size = 0;
        MPI_Comm_size(parent, &size);
        MPI_Dims_create(size, 2, dims_.data());
        if (dims_[0] > whole.rows || dims_[1] > whole.columns)
            throw std::invalid_argument{"--grid: " + std::to_string(size) + " ranks need at least " +
                                        std::to_string(dims_[1]) + 'x' + std::to_string(dims_[0]) + " cells"};
        MPI_Cart_create(parent, 2, dims_.data(), walls.data(), 1, &comm_);
        MPI_Comm_rank(comm_, &rank_);
        MPI_Cart_coords(comm_, rank_, 2, place_.data());
        MPI_Cart_shift(comm_, 0, 1, &neighbors_[up], &neighbors_[down]);
        MPI_Cart_shift(comm_, 1, 1, &neighbors_[left], &neighbors_[right]);
    }
    decomposition(decomposition const&) = delete;
    decomposition& operator=(decomposition const&) = delete;
    ~decomposition() { MPI_Comm_free(&comm_); }

    MPI_Comm comm() const { return comm_; }
    int rank() const { return rank_; }
    grid const& whole() const { return grid_; }
    /// Number of rows of blocks, and of columns of blocks.
    std::array<int, 2> const& dims() const { return dims_; }
    /// Row and column of this rank's block.
    std::array<int, 2> const& place() const { return place_; }
    /// Rank of the neighbor at a side; MPI_PROC_NULL at a wall.
    int neighbor(side s) const { return neighbors_[s]; }
    /// The neighbors that exist.
    std::vector<int> neighbors() const {
        std::vector<int> all;
        for (auto const n : neighbors_)
            if (n != MPI_PROC_NULL) all.push_back(n);
        return all;
    }

    section rows() const { return rows_of(place_[0]); }
    section columns() const { return columns_of(place_[1]); }
    section rows_of(int place) const { return cut(grid_.rows, dims_[0], place); }
    section columns_of(int place) const { return cut(grid_.columns, dims_[1], place); }

private:
    grid grid_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    std::array<int, 2> dims_{};
    std::array<int, 2> place_{};
    std::array<int, 4> neighbors_{};
};

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
