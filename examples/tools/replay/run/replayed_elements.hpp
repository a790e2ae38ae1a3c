// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace tools::replay {

/// Elements of a message: of the datatype that was recorded, if it is predefined, or bytes.
struct elements {
    int n = 0;
    MPI_Datatype type = MPI_BYTE;
    std::size_t extent = 1; // bytes of memory from an element to the next, with the gap that MPI_DOUBLE_INT has
    bool is_in_place = false;

    /// Bytes of memory that they take.
    std::size_t memory() const { return static_cast<std::size_t>(n) * extent; }
};

/// The elements of `count` of a type of the program; in place without a count or a type. Throws std::runtime_error for
/// more than an int counts.
elements elements_of(program const& calls, std::int64_t count, std::int32_t type);

/// The operation of a reduction; for one that is not predefined, or on a datatype that is not, `of` becomes bytes and
/// the operation one of bytes. Throws std::runtime_error for more bytes than an int counts.
MPI_Op operation_of(program const& calls, step const& s, elements& of);

/// A number of elements, or of bytes, as MPI takes it. Throws std::runtime_error for more than an int counts.
int int_count(std::int64_t n);

} // namespace tools::replay
