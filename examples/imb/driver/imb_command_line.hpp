// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/imb_options.hpp"
#include "suite/options.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace imb {

/// Arguments of a command line. With -help or -h anywhere there are no others.
struct command_line {
    bool help = false;
    std::optional<std::string> explained{}; // `-help NAME`, without the dash
    std::vector<given_option> options{};    // in the order given, with repeated ones
    std::vector<std::string> operands{};    // arguments that belong to no option, in the order given
};

/// Takes a command line apart: names follow one dash, those of options that IMB lacks also two; the value is the next
/// argument, also a negative number. Throws suite::refusal for an unknown option and for a missing value; -help and -h
/// are always known. The rows must outlive the result.
command_line read(std::vector<option_row> const& rows, int argc, char const* const* argv,
                  option_style style = option_style::one_dash);

/// Parse a command line of IMB-P2P or IMB-MT, whose options are set in the order given. The rows are bound to `into`.
/// Throws suite::refusal.
void parse_in_order(options& into, std::vector<option_row> const& rows, int argc, char const* const* argv,
                    option_style style);

/// What -help prints: all options or, with `-help NAME`, that option.
std::string usage(std::string const& program, std::vector<option_row> const& rows,
                  std::optional<std::string> const& explained);

/// A benchmark in the list of a program.
struct list_entry {
    std::string name;
    bool by_default = true;
    std::vector<std::string> comment{}; // lines below the name
};

/// Numbers of the entries to run, in the order in which they run; one that is requested twice runs twice. Throws
/// suite::refusal for an unknown name, and if -exclude leaves none.
std::vector<std::size_t> selected_entries(std::vector<list_entry> const& all, options const& asked);

/// Text of -list.
std::string list(std::string const& program, std::vector<list_entry> all);

/// The list of a program's benchmarks; rows of IMB-P2P and IMB-MT have only a name.
template <class Row>
std::vector<list_entry> entries_of(std::vector<Row> const& rows) {
    std::vector<list_entry> all;
    for (auto const& row : rows) {
        if constexpr (requires { row.by_default; }) all.push_back({row.name, row.by_default, row.comment});
        else all.push_back({row.name});
    }
    return all;
}

/// The rows to run: see `selected_entries`.
template <class Row>
std::vector<Row const*> selected(std::vector<Row> const& rows, options const& asked) {
    std::vector<Row const*> found;
    for (auto const i : selected_entries(entries_of(rows), asked)) found.push_back(&rows[i]);
    return found;
}

} // namespace imb
