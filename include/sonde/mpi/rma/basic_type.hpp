// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sonde::mpi::detail {

template <class X, class... All>
bool is_among(X x, All... all) {
    return ((x == all) || ...);
}

/// How a type was made. Predefined ones were not, nor were those of Fortran that have a precision instead of a name.
struct envelope {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;

    explicit envelope(MPI_Datatype type) {
        check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
    }
    bool is_made() const {
        return !is_among(combiner, MPI_COMBINER_NAMED, MPI_COMBINER_F90_INTEGER, MPI_COMBINER_F90_REAL,
                         MPI_COMBINER_F90_COMPLEX);
    }
};

/// The types that a made one consists of; the caller frees those that are made ones.
inline std::vector<MPI_Datatype> parts_of(MPI_Datatype type) {
    envelope const e{type};
    std::vector<int> integers(static_cast<std::size_t>(e.integers));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(e.addresses));
    std::vector<MPI_Datatype> parts(static_cast<std::size_t>(e.types));
    check(
        MPI_Type_get_contents(type, e.integers, e.addresses, e.types, integers.data(), addresses.data(), parts.data()),
        "MPI_Type_get_contents");
    return parts;
}

/// The predefined type that a type consists of throughout, or MPI_DATATYPE_NULL where there are several.
inline MPI_Datatype basic_type(MPI_Datatype type) {
    if (!envelope{type}.is_made()) return type;
    auto parts = parts_of(type);
    auto found = parts.empty() ? MPI_DATATYPE_NULL : basic_type(parts.front());
    for (auto& part : parts) {
        if (basic_type(part) != found) found = MPI_DATATYPE_NULL;
        if (envelope{part}.is_made()) check(MPI_Type_free(&part), "MPI_Type_free");
    }
    return found;
}

} // namespace sonde::mpi::detail
