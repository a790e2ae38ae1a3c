// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/options.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace imb {

/// The benchmarks to run, in the order in which they run; one that is requested twice runs twice. Throws suite::refusal
/// for an unknown name, and if -exclude leaves none.
std::vector<benchmark const*> selected(component const& about, options const& asked);

/// What -list prints.
std::string list(component const& about);

/// Description of a separate program, IMB-P2P or IMB-MT: the names of its rows.
template <class Row>
component component_of(std::string program, std::string part, std::vector<Row> const& rows) {
    component known{.program = std::move(program), .part = std::move(part), .tests = {}};
    for (auto const& row : rows) known.tests.push_back({.name = row.name, .make = {}, .needs = {}});
    return known;
}

/// The rows to run, in the order in which they run; see `selected`.
template <class Row>
std::vector<Row const*> selected_rows(component const& known, std::vector<Row> const& rows, options const& asked) {
    std::vector<Row const*> found;
    for (auto const* test : selected(known, asked))
        found.push_back(&rows[static_cast<std::size_t>(test - known.tests.data())]);
    return found;
}

} // namespace imb
