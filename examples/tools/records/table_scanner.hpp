// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/lines.hpp"
#include "tools/records/log.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// Tables and remarks that scanners find.
struct scanned {
    std::string path;
    std::vector<log_table> tables{};
    counted_remarks remarks{};
    bool has_unknown_label = false;              // before a title; told once
    std::vector<std::string_view> other_lines{}; // of no known program, directly before this line or a blank one
};

/// Meaning of a line of a suite's output.
enum class line_meaning : unsigned char { understood, row, damaged_row, other };

/// Scanner of the output of one suite. Lines come in order, without labels and surrounding blanks, and are not empty.
class table_scanner {
public:
    explicit table_scanner(scanned& to) : to_{to} {}
    virtual ~table_scanner() = default;
    table_scanner(table_scanner const&) = delete;
    table_scanner& operator=(table_scanner const&) = delete;

    /// True for a line that only this suite prints, and that begins a run or a table of it.
    virtual bool begins(text_line const& line) const = 0;
    virtual line_meaning take(text_line const& line) = 0;
    /// End the open table, if there is one. Rows without a header follow.
    virtual void end_table() = 0;
    virtual bool in_table() const = 0;
    /// True if the sizes of the open table ascend, so that rows which start again belong to another table.
    virtual bool sizes_ascend() const { return false; }
    /// True if a column has as many decimals in all rows, so that a figure with fewer was cut.
    virtual bool has_fixed_decimals() const { return true; }

protected:
    scanned& to_;
};

/// The scanners of all suites.
std::vector<std::unique_ptr<table_scanner>> all_scanners(scanned& to);

/// Scan the lines of one stream. After a line that is no row, rows go on only if their sizes still ascend and their
/// figures end in the same column: rows of another program are left out. So are rows that were cut: their last figure
/// has fewer decimals than that column had, or ends before the column in which all figures ended.
void scan(text_stream const& in, scanned& to);

} // namespace tools
