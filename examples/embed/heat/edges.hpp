// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "field.hpp"

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

namespace heat {

/// The sides of a field as datatypes: a row, and a column with its stride. The application copies no cells.
class edges {
public:
    explicit edges(field const& u) : row_{made(1, u.columns(), u.stride())}, column_{made(u.rows(), 1, u.stride())} {}
    MPI_Datatype operator[](side s) const { return s == up || s == down ? row_.get() : column_.get(); }

private:
    static sonde::mpi::owned_datatype made(int blocks, int length, int stride) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(blocks, length, stride, MPI_DOUBLE, &type);
        return sonde::mpi::owned_datatype{type};
    }

    sonde::mpi::owned_datatype row_;
    sonde::mpi::owned_datatype column_;
};

} // namespace heat
