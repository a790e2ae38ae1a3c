// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace imb {

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
