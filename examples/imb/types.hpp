// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <cstddef>
#include <string>

namespace imb {

/// Bytes of an element.
std::size_t bytes_of(element e);

/// "MPI_BYTE": what the header says.
std::string mpi_name(element e);

/// The type of an element as `-contig_type` lays it out, and the sum of such elements. MPI must be initialized as long
/// as it lives.
class element_type {
public:
    /// For sums, char is MPI_SIGNED_CHAR: MPI adds up no MPI_CHAR.
    element_type(element e, layout contiguous, bool summed);
    element_type(element_type&&) = delete;
    ~element_type();

    MPI_Datatype get() const { return type_; }
    MPI_Op sum() const { return sum_; }

private:
    MPI_Datatype type_;
    sonde::mpi::owned_datatype resized_;
    MPI_Op sum_ = MPI_SUM;
};

} // namespace imb
