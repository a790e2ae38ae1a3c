// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tables.hpp"
#include "text_lines.hpp"

namespace tools::model {

/// Is a line there that names a benchmark of the Intel MPI Benchmarks?
bool is_imb_text(text_lines const& in);

/// The tables of PingPong, its variants and Uniband, alone and in groups (`-multi 0` and `-multi 1`). Throws
/// std::runtime_error, with the line, for a row that cannot be, and for another unit than usec and Mbytes/sec.
tables_read read_imb_text(text_lines const& in);

} // namespace tools::model
