// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

// Text of a log between its tables: headings, and commands of launchers, by which the next tables are told apart.

namespace tools {

/// What may tell tables of one identity apart: a number in the text before them, this text itself, ranks, hosts,
/// devices.
struct condition {
    std::string of;      // equal for all tables in which it may have other values: the line without its numbers; "text"
    std::string setting; // name in the identity of tables that it tells apart: "heading", "ranks"
    std::string value;   // "-n 4"
    bool operator==(condition const&) const = default;
};

/// A line of text without what differs between repetitions of a measurement: dates, times, durations, measured values,
/// numbers of runs and jobs. These words are "~".
std::vector<std::string> lasting_words(std::string_view line);

/// The lines of a log that may be headings of the tables after them.
class headings {
public:
    /// Adds a line that is not of a table. Messages of launchers and lines without a letter are left out.
    void add(std::string_view line);
    /// Lines that are added later are directly before other tables than those that were added so far.
    void end_text() { text_ended_ = true; }
    /// Conditions of a table that begins now: the numbers in the last line of each form, and the last text.
    std::vector<condition> conditions() const;

private:
    struct line {
        std::string form; // without its numbers
        std::vector<condition> numbers;
    };
    void keep(line added);

    std::deque<line> lines_{};       // the last ones, of different forms
    std::deque<std::string> text_{}; // forms of the last lines without a table between them
    bool text_ended_ = false;
};

} // namespace tools
