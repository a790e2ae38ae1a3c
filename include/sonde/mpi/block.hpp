// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace sonde::mpi {

/// So many elements of a type, one after the other: what one call moves to, or from, one rank.
struct block {
    MPI_Datatype type = MPI_BYTE;
    std::size_t count = 0;
};

namespace detail {

/// MPI counts with an int. Throws std::length_error for more.
inline int count_of(std::size_t n) {
    if (n > INT_MAX)
        throw std::length_error{"sonde::mpi: " + std::to_string(n) + " elements; MPI counts to " +
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
    std::size_t moved(std::size_t n) const { return n * size_; }

private:
    std::size_t end_ = 0;
    std::size_t step_ = 0;
    std::size_t size_ = 0;
};

/// Throws std::invalid_argument for no operation.
inline MPI_Op checked(MPI_Op op) {
    if (op == MPI_OP_NULL) throw std::invalid_argument{"sonde::mpi: the operation is null"};
    return op;
}

} // namespace detail

} // namespace sonde::mpi
