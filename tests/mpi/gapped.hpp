// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

/// A datatype with gaps: the first and the third of every four 32-bit numbers; and its sum operation.
class gapped {
public:
    gapped() {
        MPI_Datatype two = MPI_DATATYPE_NULL;
        PMPI_Type_vector(2, 1, 2, MPI_UINT32_T, &two);
        PMPI_Type_create_resized(two, 0, extent, &type_);
        PMPI_Type_free(&two);
        PMPI_Type_commit(&type_);
        PMPI_Op_create(add, 1, &sum_);
    }
    gapped(gapped const&) = delete;
    gapped& operator=(gapped const&) = delete;
    ~gapped() {
        PMPI_Type_free(&type_);
        PMPI_Op_free(&sum_);
    }
    MPI_Datatype type() const { return type_; }
    MPI_Op sum() const { return sum_; }

    static constexpr MPI_Aint extent = 16;

private:
    static void add(void* in, void* into, int* n, MPI_Datatype*) {
        auto const* const a = static_cast<std::uint32_t const*>(in);
        auto* const b = static_cast<std::uint32_t*>(into);
        for (int i = 0; i != *n; ++i)
            for (int k : {0, 2}) b[4 * i + k] += a[4 * i + k];
    }

    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op sum_ = MPI_OP_NULL;
};
