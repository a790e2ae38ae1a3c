// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <cstdint>

// A call of a function of MPI, of its form with large counts if `is_large`, which MPI 4.0 has.
#if MPI_VERSION >= 4
#define SONDE_COUNTED(is_large, name, ...) ((is_large) ? MPI_##name##_c(__VA_ARGS__) : MPI_##name(__VA_ARGS__))
#else
#define SONDE_COUNTED(is_large, name, ...) MPI_##name(__VA_ARGS__)
#endif

namespace tools::replay {

/// Elements of a message: of the datatype that was recorded, if it is predefined, or bytes.
struct elements {
    std::int64_t n = 0;
    MPI_Datatype type = MPI_BYTE;
    std::size_t extent = 1; // bytes of memory from an element to the next, with the gap that MPI_DOUBLE_INT has
    bool is_in_place = false;

    /// Bytes of memory that they take.
    std::size_t memory() const { return static_cast<std::size_t>(n) * extent; }
    /// Their number, as an argument.
    sonde::mpi::detail::count_argument count() const { return {static_cast<std::size_t>(n)}; }
    bool is_large() const { return n > INT_MAX; }
};

/// The elements of `count` of a type of the program; in place without a count or a type. Throws what `counted` throws.
elements elements_of(program const& calls, std::int64_t count, std::int32_t type);

/// The operation of a reduction; for one that is not predefined, or on a datatype that is not, `of` becomes bytes and
/// the operation one of bytes. Throws what `counted` throws.
MPI_Op operation_of(program const& calls, step const& s, elements& of);

/// Returns a number of elements, or of bytes. Throws std::runtime_error for a number that the functions of this MPI
/// library do not take: before MPI 4.0 one that exceeds an int.
std::int64_t counted(std::int64_t n);

} // namespace tools::replay
