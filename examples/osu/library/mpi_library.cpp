// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/buffer_places.hpp"
#include "osu/library/library.hpp"

namespace osu {

constinit library const mpi_library{
    .title = "MPI", .starts = mpi_starts, .shows_datatype = true, .read_words = set_buffer_places};

} // namespace osu
