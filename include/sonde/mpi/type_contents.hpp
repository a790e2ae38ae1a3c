// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sonde::inline v0_1::mpi::detail {

/// Arguments of the constructor of a datatype (MPI 4.0, 5.1.13). Derived datatypes among them are the caller's to free.
struct type_contents {
    std::vector<int> integers;
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Count> large_counts; // of a constructor with large counts
    std::vector<MPI_Datatype> types;
};

/// The constructor of a datatype, and the numbers of its arguments. Before MPI 4.0 no datatype has large counts; with
/// MPI 4.0 the functions without large counts fail for a datatype that has them.
struct type_envelope {
#if MPI_VERSION >= 4
    MPI_Count integers = 0, addresses = 0, large_counts = 0, types = 0;
#else
    int integers = 0, addresses = 0, large_counts = 0, types = 0;
#endif
    int combiner = MPI_COMBINER_NAMED;

    explicit type_envelope(MPI_Datatype type) {
#if MPI_VERSION >= 4
        check(MPI_Type_get_envelope_c(type, &integers, &addresses, &large_counts, &types, &combiner),
              "MPI_Type_get_envelope_c");
#else
        check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
#endif
    }
    /// False for predefined datatypes, including those of Fortran that have a precision instead of a name.
    bool is_derived() const {
        return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER &&
               combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX;
    }
    /// The arguments of a derived datatype, that of the envelope.
    type_contents contents(MPI_Datatype type) const {
        auto const size = [](auto n) { return static_cast<std::size_t>(n); };
        type_contents all{std::vector<int>(size(integers)), std::vector<MPI_Aint>(size(addresses)),
                          std::vector<MPI_Count>(size(large_counts)),
                          std::vector<MPI_Datatype>(size(types), MPI_DATATYPE_NULL)};
#if MPI_VERSION >= 4
        check(MPI_Type_get_contents_c(type, integers, addresses, large_counts, types, all.integers.data(),
                                      all.addresses.data(), all.large_counts.data(), all.types.data()),
              "MPI_Type_get_contents_c");
#else
        check(MPI_Type_get_contents(type, integers, addresses, types, all.integers.data(), all.addresses.data(),
                                    all.types.data()),
              "MPI_Type_get_contents");
#endif
        return all;
    }
};

} // namespace sonde::mpi::detail
