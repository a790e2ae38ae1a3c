// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "decomposition.hpp"
#include "field.hpp"
#include "solver.hpp"

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace heat {

/// The whole grid solved by one process.
inline field solve_alone(grid const& whole, weights w, int steps) {
    struct nothing {
        void exchange(field&) const {}
    } none;
    field u{whole.rows, whole.columns}, next{whole.rows, whole.columns};
    heat_up(u, whole, {0, whole.rows}, {0, whole.columns});
    step_scopes scopes;
    advance(u, next, w, steps, none, scopes);
    return u;
}

/// A block of cells of a field, as one element of a datatype.
inline sonde::mpi::owned_datatype block(field const& of, int rows, int columns) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(rows, columns, of.stride(), MPI_DOUBLE, &type);
    return sonde::mpi::owned_datatype{type};
}

/// All blocks in one field on rank 0 of the decomposition; an empty field on the others. Collective.
inline field collect(decomposition const& part, field const& u) {
    MPI_Request sent = MPI_REQUEST_NULL;
    auto const mine = block(u, u.rows(), u.columns());
    MPI_Isend(u.cell(1, 1), 1, mine.get(), 0, 0, part.comm(), &sent);
    auto const root = part.rank() == 0;
    field all{root ? part.whole().rows : 0, root ? part.whole().columns : 0};
    for (int rank = 0; root && rank != part.dims()[0] * part.dims()[1]; ++rank) {
        int place[2] = {};
        MPI_Cart_coords(part.comm(), rank, 2, place);
        auto const rows = part.rows_of(place[0]), columns = part.columns_of(place[1]);
        auto const theirs = block(all, rows.count, columns.count);
        MPI_Recv(all.cell(rows.first + 1, columns.first + 1), 1, theirs.get(), rank, 0, part.comm(), MPI_STATUS_IGNORE);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return all;
}

/// True if a number is neither infinite nor NaN, by the bits of its exponent: with -ffast-math the compiler assumes
/// that all numbers are finite and replaces std::isfinite by true.
inline bool is_finite(double x) { return (std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) != 0x7ff; }

/// The largest difference between the cells of two fields; the first one that is not a finite number.
inline double difference(field const& a, field const& b) {
    double largest = 0;
    for (int i = 1; i <= a.rows(); ++i)
        for (int j = 1; j <= a.columns(); ++j) {
            auto const d = std::abs(*a.cell(i, j) - *b.cell(i, j));
            if (!is_finite(d)) return d;
            if (d > largest) largest = d;
        }
    return largest;
}

} // namespace heat
