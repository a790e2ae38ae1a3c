// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/library.hpp"

namespace osu {

/// MPI, which moves the data of the programs in several folders.
inline constexpr library mpi_library{
    .title = "MPI", .starts = mpi_starts, .shows_datatype = true, .read_words = set_buffer_places};

} // namespace osu
