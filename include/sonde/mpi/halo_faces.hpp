// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <vector>

namespace sonde::inline v0_1::mpi {

/// The two messages of a face of an array, as datatypes of one element at the array's first cell.
struct halo_face {
    owned_datatype send;    // the outermost cells of the block
    owned_datatype receive; // the ghost cells beyond them
};

/// The faces of an n-dimensional array in C order (the last index is contiguous): the lower and the upper face of each
/// dimension in turn, as MPI orders the neighbors on a Cartesian communicator.
///
///     auto const faces = sonde::mpi::halo_faces({rows, columns}, {1, 1}, MPI_DOUBLE);
///     MPI_Isend(array, 1, faces[i].send.get(), ...), MPI_Irecv(array, 1, faces[i].receive.get(), ...)
///
/// `extents`: cells of the block in each dimension, without ghost cells. `widths`: layers of ghost cells on either side
/// of each dimension, so that the array has extent + 2 width cells there; a dimension of width 0 has empty faces. Faces
/// do not contain the edges and corners, which have ghost cells of two or more dimensions. `type`: datatype of a cell.
/// Not collective. Throws std::invalid_argument unless there is a width for each extent and 0 <= width <= extent,
/// extent > 0; std::length_error for more cells in a dimension than an int counts.
[[nodiscard]] std::vector<halo_face> halo_faces(std::vector<int> const& extents, std::vector<int> const& widths,
                                                MPI_Datatype type);

} // namespace sonde::mpi

#if SONDE_DEFINITIONS
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde::inline v0_1::mpi::detail {

/// Cells of an array: `lengths` cells from `starts` on. A block without cells is an empty type.
SONDE_INLINE owned_datatype block_of(std::vector<int> const& sizes, std::vector<int> const& lengths,
                                     std::vector<int> const& starts, MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    auto empty = false;
    for (auto const n : lengths) empty = empty || n == 0;
    if (empty) {
        check(MPI_Type_contiguous(0, type, &made), "MPI_Type_contiguous");
    } else {
        check(MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), lengths.data(), starts.data(),
                                       MPI_ORDER_C, type, &made),
              "MPI_Type_create_subarray");
    }
    return owned_datatype{made};
}

SONDE_INLINE void require_faces(std::vector<int> const& extents, std::vector<int> const& widths) {
    auto valid = !extents.empty() && extents.size() == widths.size();
    for (std::size_t d = 0; valid && d != extents.size(); ++d)
        valid = extents[d] > 0 && widths[d] >= 0 && widths[d] <= extents[d];
    if (!valid)
        throw std::invalid_argument{"sonde::mpi::halo_faces: needs a width for each extent, from 0 to the extent"};
}

} // namespace sonde::mpi::detail

namespace sonde::inline v0_1::mpi {

SONDE_INLINE std::vector<halo_face> halo_faces(std::vector<int> const& extents, std::vector<int> const& widths,
                                               MPI_Datatype type) {
    detail::require_faces(extents, widths);
    std::vector<int> sizes;
    for (std::size_t d = 0; d != extents.size(); ++d)
        sizes.push_back(
            detail::int_count(static_cast<std::size_t>(extents[d]) + 2 * static_cast<std::size_t>(widths[d])));
    std::vector<halo_face> faces;
    for (std::size_t d = 0; d != extents.size(); ++d) {
        auto lengths = extents, starts = widths;
        lengths[d] = widths[d];
        auto const from = [&](int start) {
            starts[d] = start;
            return detail::block_of(sizes, lengths, starts, type);
        };
        auto const width = widths[d], extent = extents[d];
        auto lower_send = from(width), lower_receive = from(0);
        auto upper_send = from(extent), upper_receive = from(extent + width);
        faces.push_back({std::move(lower_send), std::move(lower_receive)});
        faces.push_back({std::move(upper_send), std::move(upper_receive)});
    }
    return faces;
}

} // namespace sonde::mpi

#endif
