// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tables.hpp"
#include "text_lines.hpp"

namespace tools::model {

/// Is a line there that names a test of the OSU Micro-Benchmarks?
bool is_omb_text(text_lines const& in);

/// The tables that osu_latency, osu_latency_persistent, osu_latency_mp, osu_multi_lat and osu_mbw_mr print, several one
/// behind the other. Throws std::runtime_error, with the line, for a row that cannot be, and for another unit than us
/// and MB/s.
tables_read read_omb_text(text_lines const& in);

} // namespace tools::model
