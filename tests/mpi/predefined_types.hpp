// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <vector>

/// Predefined datatypes that reductions treat alike (MPI 3.1, 5.9.2 and 5.9.4).
struct type_category {
    char letter;
    std::vector<MPI_Datatype> types;
};

/// All of them that this MPI library has.
inline std::vector<type_category> predefined_types() {
    std::vector<type_category> all{
        {'c', {MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT, MPI_UNSIGNED, MPI_LONG}},
        {'c', {MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T}},
        {'c', {MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_CHAR}},
        {'f', {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}},
        {'r', {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8}},
        {'l', {MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL}},
        {'x', {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX}},
        {'x', {MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8}},
        {'b', {MPI_BYTE}},
        {'a', {MPI_AINT, MPI_OFFSET, MPI_COUNT}},
        {'p', {MPI_2INT, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT}},
        {'p', {MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER}},
        {'o', {MPI_WCHAR, MPI_CHARACTER, MPI_PACKED}}};
    for (auto& [letter, types] : all)
        std::erase_if(types,
                      [](MPI_Datatype t) { return t == MPI_DATATYPE_NULL || sonde::mpi::detail::type_size(t) == 0; });
    return all;
}
