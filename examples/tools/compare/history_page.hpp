// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/compare/history.hpp"

#include <string>
#include <vector>

namespace tools {

/// Write a page for a browser: a figure of each row that changed, and the tables. Throws std::system_error if the file
/// cannot be written. Without gnuplot the page has a note in place of the figures.
void write_history_page(std::string const& path, std::vector<night> const& nights, std::vector<row_history> const& rows,
                        std::string const& totals);

} // namespace tools
