// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/basic_type.hpp>

#include <mpi.h>

#include <string>

namespace sonde::mpi::detail {

/// What MPI's operations tell apart (MPI 3.1, 5.9.2 and 5.9.4); for other types they are not defined.
enum class type_kind { c_integer, fortran_integer, real, logical, complex, byte, language, pair, other };

inline std::string name_of(MPI_Datatype type) {
    char text[MPI_MAX_OBJECT_NAME];
    int length = 0;
    check(MPI_Type_get_name(type, text, &length), "MPI_Type_get_name");
    return {text, static_cast<std::size_t>(length)};
}

/// The kind of a predefined type by its name: Fortran's types of a given length are optional, and SimGrid's SMPI 3.32
/// defines macros for C++'s complex types that do not compile.
inline type_kind kind_by_name(MPI_Datatype type) {
    switch (envelope{type}.combiner) {
    case MPI_COMBINER_F90_INTEGER:
        return type_kind::fortran_integer;
    case MPI_COMBINER_F90_REAL:
        return type_kind::real;
    case MPI_COMBINER_F90_COMPLEX:
        return type_kind::complex;
    }
    auto const name = name_of(type);
    if (name.starts_with("MPI_INTEGER")) return type_kind::fortran_integer;
    if (name.starts_with("MPI_REAL") || name == "MPI_DOUBLE_PRECISION") return type_kind::real;
    if (name.starts_with("MPI_COMPLEX") || name == "MPI_DOUBLE_COMPLEX") return type_kind::complex;
    if (name.starts_with("MPI_CXX_") && name.ends_with("_COMPLEX")) return type_kind::complex;
    return name.starts_with("MPI_LOGICAL") ? type_kind::logical : type_kind::other;
}

/// The kind of a type that is none made. Where the MPI library lacks one of those below it is MPI_DATATYPE_NULL there.
inline type_kind kind_of(MPI_Datatype t) {
    // For MPI, MPI_CHAR is a letter. The MPI libraries take it for an integer as C does, and OMB does arithmetic with
    // it.
    if (is_among(t, MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT, MPI_UNSIGNED,
                 MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT8_T, MPI_INT16_T,
                 MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T))
        return type_kind::c_integer;
    if (is_among(t, MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE)) return type_kind::real;
    if (is_among(t, MPI_C_BOOL, MPI_CXX_BOOL)) return type_kind::logical;
    if (is_among(t, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX)) return type_kind::complex;
    if (t == MPI_BYTE) return type_kind::byte;
    if (is_among(t, MPI_AINT, MPI_OFFSET, MPI_COUNT)) return type_kind::language;
    if (is_among(t, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
                 MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER))
        return type_kind::pair;
    return kind_by_name(t);
}

} // namespace sonde::mpi::detail
