// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/lines.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Lines of the output of the OSU Micro-Benchmarks: titles, settings, and headers of tables.

namespace tools {

/// Title line of a test.
struct osu_title {
    std::string title;   // "OSU MPI-CUDA Latency Test"
    std::string version; // "7.4"
    std::string test;    // "Latency Test", of MPI, NCCL, RCCL or oneCCL; otherwise empty
    bool is_xccl = false;
    bool has_hash = true;
};

/// Title of a test in a line such as "# OSU MPI Latency Test v7.4"; empty for any other line.
std::optional<osu_title> osu_title_of(std::string_view line);

/// {"datatype", "MPI_CHAR"} of a line "# Datatype: MPI_CHAR" of settings, or of a line about the memory of both sides;
/// empty for any other line.
std::optional<std::pair<std::string, std::string>> osu_setting_of(std::string_view line);

/// Unit of a column of an OSU table.
enum class osu_unit : unsigned char { us, mb_per_s, messages_per_s, words, none };

struct osu_column {
    std::string title; // "Avg Latency(us)"
    osu_unit unit;
    bool operator==(osu_column const&) const = default;
};

/// Columns of an OSU table after the size. Tables of barriers have no size.
struct osu_columns {
    bool has_size = true;
    bool has_hash = true;
    std::string size_unit{};       // "KB"; empty for bytes
    bool has_foreign_text = false; // behind the last column, of another process
    std::vector<osu_column> all{};

    /// Place of the size of a derived datatype, if there is one.
    std::optional<std::size_t> transmitted() const { return index_of(all, "Transmit Size", &osu_column::title); }
    /// True if a row without the validation, the percentiles and the transmitted size is complete, too.
    bool matches(word_list const& words, bool without_extras) const;
};

/// Columns of a header: "# Size       Avg Latency(us)", also without its "#"; empty for any other line. A title ends
/// with its unit in parentheses, or at two blanks. Text that follows a title without a blank is of another process.
std::optional<osu_columns> osu_columns_of(std::string_view line);

} // namespace tools
