// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../component.hpp"
#include "../words.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace imb::own {

/// Rows of a program's own as those that share a driver are known: by their names.
template <class Row>
component names_of(std::string program, std::string part, std::vector<Row> const& rows) {
    component known{.program = std::move(program), .part = std::move(part), .tests = {}};
    for (auto const& row : rows) known.tests.push_back({.name = row.name, .make = {}, .needs = {}});
    return known;
}

/// The rows to run, in the order in which they run. Throws common::refusal for a name that none has.
template <class Row>
std::vector<Row const*> selected(component const& known, std::vector<Row> const& rows, options const& asked) {
    std::vector<Row const*> found;
    for (auto const* test : imb::selected(known, asked))
        found.push_back(&rows[static_cast<std::size_t>(test - known.tests.data())]);
    return found;
}

} // namespace imb::own
