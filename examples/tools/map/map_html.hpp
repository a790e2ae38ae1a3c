// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/map/sonde_map.hpp"

#include <string>
#include <vector>

namespace tools::map {

/// Write a page for a browser: suspects, heatmaps in the order of the hosts and of the groups, with the value of each
/// pair under the pointer, and a table of pairs that can be sorted.
void write_html(std::string const& path, map_result const& result, map_options const& options,
                std::vector<map_findings> const& findings);

} // namespace tools::map
