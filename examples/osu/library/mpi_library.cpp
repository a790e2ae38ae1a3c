// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/buffer_places.hpp"
#include "osu/library/library.hpp"

namespace osu {

namespace {

constexpr start starts[] = {start::none, start::barrier, start::dissemination, start::window};

} // namespace

constinit library const mpi_library{
    .title = "MPI", .starts = starts, .shows_datatype = true, .read_words = set_buffer_places};

} // namespace osu
