// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/read/tables.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tools::model {

/// Lines of a text file, for readers that name the line in errors. Lines are counted from 0 here, from 1 in errors.
struct text_lines {
    std::string path;
    std::vector<std::string> lines;

    /// "path:number: "
    std::string position(std::size_t line) const { return path + ':' + std::to_string(line + 1) + ": "; }
    /// Throws std::runtime_error.
    [[noreturn]] void fail(std::size_t line, std::string const& text) const;

    /// Read a word as a number above zero, or of at least zero; fails with the name of its column.
    double positive(std::size_t line, std::string const& word, std::string const& column) const;
    double at_least_zero(std::size_t line, std::string const& word, std::string const& column) const;

private:
    double number(std::size_t line, std::string const& word, std::string const& column) const;
};

/// Read a whole file, once: it may be a pipe. Throws std::runtime_error, with the path, if it cannot be read, is empty,
/// or is not text.
std::string read_text(std::string const& path);

/// True if the line begins with a number.
bool begins_row(std::string_view line);

/// Words of a line, separated by blanks.
std::vector<std::string> words_of(std::string_view line);

/// Half a unit of a number's last digit: 0.005 for "2.50".
double half_a_digit(std::string const& word);

/// Read JSON lines (`sonde::json_lines`, `sonde-launch`): the records of one name and number of pairs make a table of
/// their medians. Throws std::runtime_error as `sonde::read_launches` does, and for a record without times or with
/// errors in its data.
tables_read read_json_tables(std::string const& path, std::string const& text);

/// True if a line names a test of the OSU Micro-Benchmarks.
bool is_omb_text(text_lines const& in);
/// Read the tables of osu_latency, osu_latency_persistent, osu_latency_mp, osu_multi_lat and osu_mbw_mr, also several
/// in one file. Throws std::runtime_error, with the line, for an invalid row, and for other units than us and MB/s.
tables_read read_omb_text(text_lines const& in);

/// True if a line names a benchmark of the Intel MPI Benchmarks.
bool is_imb_text(text_lines const& in);
/// Read the tables of PingPong, its variants and Uniband, without and with groups (`-multi 0` and `-multi 1`). Throws
/// std::runtime_error, with the line, for an invalid row, and for other units than usec and Mbytes/sec.
tables_read read_imb_text(text_lines const& in);

} // namespace tools::model
