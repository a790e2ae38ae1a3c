// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tables.hpp"
#include "text_lines.hpp"

#include <string>

namespace tools::model {

/// What a file holds, be it of JSON lines, or text of the OSU Micro-Benchmarks or the Intel MPI Benchmarks. Throws
/// std::runtime_error, with the path, for what is none of them, or holds nothing that a model is fitted to.
tables_read read_tables(std::string const& path);

/// The records of JSON lines (`sonde::json_lines`, `sonde-launch`), those of a name and a number of pairs in a table;
/// typical times. Throws std::runtime_error as `sonde::read_launches` does, and for a record without times or with
/// wrong data.
tables_read read_json_tables(std::string const& path, std::string const& text);

/// Is a line there that names a test of the OSU Micro-Benchmarks?
bool is_omb_text(text_lines const& in);
/// The tables that osu_latency, osu_latency_persistent, osu_latency_mp, osu_multi_lat and osu_mbw_mr print, several one
/// behind the other. Throws std::runtime_error, with the line, for a row that cannot be, and for another unit than us
/// and MB/s.
tables_read read_omb_text(text_lines const& in);

/// Is a line there that names a benchmark of the Intel MPI Benchmarks?
bool is_imb_text(text_lines const& in);
/// The tables of PingPong, its variants and Uniband, alone and in groups (`-multi 0` and `-multi 1`). Throws
/// std::runtime_error, with the line, for a row that cannot be, and for another unit than usec and Mbytes/sec.
tables_read read_imb_text(text_lines const& in);

} // namespace tools::model
