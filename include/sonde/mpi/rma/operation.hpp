// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/block.hpp>
#include <sonde/mpi/rma/basic_type.hpp>
#include <sonde/mpi/rma/type_kind.hpp>

#include <mpi.h>

#include <stdexcept>

// What one-sided operations may combine: predefined operations alone (MPI 3.1, 11.3.4), each with types of the kinds
// that it is defined for (5.9.2, 5.9.4). Libraries do not all look: MPICH 4.0.2 hangs in MPI_BAND of reals.

namespace sonde::mpi::detail {

/// Is it an operation that MPI defines, and defines for this kind?
inline bool is_defined(MPI_Op op, type_kind of) {
    using enum type_kind;
    if (is_among(op, MPI_REPLACE, MPI_NO_OP)) return true;
    if (is_among(op, MPI_MAX, MPI_MIN)) return is_among(of, c_integer, fortran_integer, real, language);
    if (is_among(op, MPI_SUM, MPI_PROD)) return is_among(of, c_integer, fortran_integer, real, complex, language);
    if (is_among(op, MPI_LAND, MPI_LOR, MPI_LXOR)) return is_among(of, c_integer, logical);
    if (is_among(op, MPI_BAND, MPI_BOR, MPI_BXOR)) return is_among(of, c_integer, fortran_integer, byte, language);
    return is_among(op, MPI_MINLOC, MPI_MAXLOC) && of == pair;
}

/// The operation of a call that fetches. Throws std::invalid_argument for a made one, for a type that it is not defined
/// for, and for a type of several predefined types.
inline MPI_Op op_of_fetch(MPI_Op op, MPI_Datatype type) {
    auto const basic = basic_type(type);
    if (basic == MPI_DATATYPE_NULL)
        throw std::invalid_argument{"sonde::mpi: one-sided operations combine elements of one predefined type"};
    if (!is_defined(checked(op), kind_of(basic)))
        throw std::invalid_argument{"sonde::mpi: MPI defines no such operation for " + name_of(basic)};
    return op;
}

/// The same of a call that fetches one element, which is of a predefined type.
inline MPI_Op op_of_one_fetch(MPI_Op op, MPI_Datatype type) {
    if (envelope{type}.is_made())
        throw std::invalid_argument{"sonde::mpi: fetch_and_op takes predefined types, and no made ones"};
    return op_of_fetch(op, type);
}

/// The same of a call that fetches nothing, for which MPI_NO_OP would do nothing at all.
inline MPI_Op op_of_accumulate(MPI_Op op, MPI_Datatype type) {
    if (op == MPI_NO_OP) throw std::invalid_argument{"sonde::mpi: MPI_NO_OP is for operations that fetch"};
    return op_of_fetch(op, type);
}

/// Throws std::invalid_argument for a type whose elements MPI does not compare (MPI 3.1, 11.3.4), of which the MPI
/// libraries take some.
inline void require_comparable(MPI_Datatype type) {
    using enum type_kind;
    if (envelope{type}.is_made() || !is_among(kind_of(type), c_integer, fortran_integer, logical, byte, language))
        throw std::invalid_argument{"sonde::mpi: compare_and_swap takes integers, no reals and no types of parts"};
}

} // namespace sonde::mpi::detail
