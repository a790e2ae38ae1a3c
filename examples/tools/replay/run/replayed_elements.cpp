// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayed_elements.hpp"

#include "tools/replay/predefined_operations.hpp"

#include <sonde/mpi/error.hpp>

#include <map>
#include <stdexcept>
#include <string>

namespace tools::replay {

namespace {

using sonde::mpi::check;

/// The predefined datatype of a name; MPI_DATATYPE_NULL for another name, and where the MPI library lacks the type.
MPI_Datatype datatype_of(std::string const& name) {
#define SONDE_NAMED(type)                                                                                              \
    { #type, type }
    static std::map<std::string, MPI_Datatype> const known{
        SONDE_NAMED(MPI_CHAR),
        SONDE_NAMED(MPI_SIGNED_CHAR),
        SONDE_NAMED(MPI_UNSIGNED_CHAR),
        SONDE_NAMED(MPI_BYTE),
        SONDE_NAMED(MPI_WCHAR),
        SONDE_NAMED(MPI_SHORT),
        SONDE_NAMED(MPI_UNSIGNED_SHORT),
        SONDE_NAMED(MPI_INT),
        SONDE_NAMED(MPI_UNSIGNED),
        SONDE_NAMED(MPI_LONG),
        SONDE_NAMED(MPI_UNSIGNED_LONG),
        SONDE_NAMED(MPI_LONG_LONG),
        SONDE_NAMED(MPI_LONG_LONG_INT),
        SONDE_NAMED(MPI_UNSIGNED_LONG_LONG),
        SONDE_NAMED(MPI_INT8_T),
        SONDE_NAMED(MPI_INT16_T),
        SONDE_NAMED(MPI_INT32_T),
        SONDE_NAMED(MPI_INT64_T),
        SONDE_NAMED(MPI_UINT8_T),
        SONDE_NAMED(MPI_UINT16_T),
        SONDE_NAMED(MPI_UINT32_T),
        SONDE_NAMED(MPI_UINT64_T),
        SONDE_NAMED(MPI_AINT),
        SONDE_NAMED(MPI_OFFSET),
        SONDE_NAMED(MPI_COUNT),
        SONDE_NAMED(MPI_FLOAT),
        SONDE_NAMED(MPI_DOUBLE),
        SONDE_NAMED(MPI_LONG_DOUBLE),
        SONDE_NAMED(MPI_C_BOOL),
        SONDE_NAMED(MPI_C_FLOAT_COMPLEX),
        SONDE_NAMED(MPI_C_DOUBLE_COMPLEX),
        SONDE_NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
        SONDE_NAMED(MPI_FLOAT_INT),
        SONDE_NAMED(MPI_DOUBLE_INT),
        SONDE_NAMED(MPI_LONG_INT),
        SONDE_NAMED(MPI_2INT),
        SONDE_NAMED(MPI_SHORT_INT),
        SONDE_NAMED(MPI_LONG_DOUBLE_INT),
        SONDE_NAMED(MPI_2REAL),
        SONDE_NAMED(MPI_2DOUBLE_PRECISION),
        SONDE_NAMED(MPI_2INTEGER),
        {"MPI_C_COMPLEX", MPI_C_FLOAT_COMPLEX},
        {"MPI_INTEGER", MPI_INT}, // of Fortran, by compilers whose INTEGER has 4 bytes
        {"MPI_REAL", MPI_FLOAT},
        {"MPI_DOUBLE_PRECISION", MPI_DOUBLE}};
#undef SONDE_NAMED
    auto const found = known.find(name);
    return found == known.end() ? MPI_DATATYPE_NULL : found->second;
}

/// True if an element has as many bytes of data as in the application.
bool has_size(MPI_Datatype type, std::int64_t recorded) {
    int size = 0;
    if (type == MPI_DATATYPE_NULL) return false;
    check(MPI_Type_size(type, &size), "MPI_Type_size");
    return size == recorded;
}

/// MPI_OP_NULL for another name.
MPI_Op op_of(std::string const& name) {
    for (auto const& known : predefined_operations())
        if (name == known.name) return known.op;
    return MPI_OP_NULL;
}

} // namespace

std::int64_t counted(std::int64_t n) {
    if (n < 0 || (MPI_VERSION < 4 && n > INT_MAX))
        throw std::runtime_error{"the trace cannot be replayed: a call has " + std::to_string(n) + " elements"};
    return n;
}

elements elements_of(program const& calls, std::int64_t count, std::int32_t type) {
    if (count == absent || type == absent) return {.is_in_place = true};
    auto const& of = calls.types[static_cast<std::size_t>(type)];
    auto const known = datatype_of(of.name);
    if (!has_size(known, of.size)) return {.n = counted(count * of.size)};
    MPI_Aint lower = 0, extent = 0;
    check(MPI_Type_get_extent(known, &lower, &extent), "MPI_Type_get_extent");
    return {counted(count), known, static_cast<std::size_t>(extent)};
}

MPI_Op operation_of(program const& calls, step const& s, elements& of) {
    auto const op =
        s.what.operation == absent ? MPI_OP_NULL : op_of(calls.operations[static_cast<std::size_t>(s.what.operation)]);
    if (op != MPI_OP_NULL && of.type != MPI_BYTE) return op;
    auto const bytes = of.type == MPI_BYTE ? of.n : of.n * calls.size_of(s.what.type);
    of = {.n = counted(bytes), .is_in_place = of.is_in_place};
    return MPI_BOR;
}

} // namespace tools::replay
