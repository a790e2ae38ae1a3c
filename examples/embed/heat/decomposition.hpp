// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "grid.hpp"

#include <mpi.h>

#include <array>
#include <stdexcept>
#include <string>

namespace heat {

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

} // namespace heat
