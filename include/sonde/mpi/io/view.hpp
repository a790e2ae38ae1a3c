// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/io/file.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>

namespace sonde::mpi::io {

/// What a rank sees of each stretch of `extent` bytes of a file: `bytes` of them, from `at` on; the rest belongs to
/// others. Nothing at all, for a rank without a share, is a view of all bytes: MPI libraries divide by the size of a
/// view, and such a rank moves nothing.
struct share {
    std::size_t at = 0;
    std::size_t bytes = 0;
    std::size_t extent = 0;
};

/// The file as the bytes that it has. Collective over the file's group.
inline void view_bytes(file const& on, MPI_Offset displacement = 0) {
    check(MPI_File_set_view(on.handle(), displacement, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL),
          "MPI_File_set_view");
}

namespace detail {

/// A stretch, of which the share counts.
inline owned_datatype stretch_of(share mine) {
    auto const bytes = mpi::detail::shape_of(mine.bytes, {});
    auto const at = static_cast<MPI_Aint>(mine.at);
    MPI_Datatype placed = MPI_DATATYPE_NULL, repeated = MPI_DATATYPE_NULL;
    check(MPI_Type_create_hindexed(1, &bytes.count, &at, bytes.type, &placed), "MPI_Type_create_hindexed");
    auto const made = MPI_Type_create_resized(placed, 0, static_cast<MPI_Aint>(mine.extent), &repeated);
    check(MPI_Type_free(&placed), "MPI_Type_free");
    check(made, "MPI_Type_create_resized");
    return owned_datatype{repeated};
}

} // namespace detail

/// This rank's share of each stretch, one after the other. Collective over the file's group; shares of ranks may
/// differ. Throws std::invalid_argument for a share that does not fit its stretch.
inline void view_share(file const& on, share mine) {
    if (mine.at + mine.bytes > mine.extent)
        throw std::invalid_argument{"sonde::mpi::io: a rank's share ends behind its stretch of the file"};
    if (mine.bytes == 0) return view_bytes(on);
    auto const type = detail::stretch_of(mine);
    check(MPI_File_set_view(on.handle(), 0, MPI_BYTE, type.get(), "native", MPI_INFO_NULL), "MPI_File_set_view");
}

} // namespace sonde::mpi::io
