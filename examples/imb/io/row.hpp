// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/io/file.hpp>

namespace imb::io {

/// What tells the benchmarks of files from each other.
struct row {
    sonde::mpi::io::access how;
    bool own_file = false;    // each process has one for itself, of what is its part
    bool beside_work = false; // non-blocking, or split where it is collective
};

} // namespace imb::io
