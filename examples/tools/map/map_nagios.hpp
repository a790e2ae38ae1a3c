// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/map/sonde_map.hpp"

#include <string>
#include <vector>

namespace tools::map {

/// Exit status of a check for Nagios, Icinga and others that run Monitoring Plugins.
enum class nagios_status : unsigned char { ok, warning, critical, unknown };

struct nagios_report {
    nagios_status status;
    std::string line;
};

/// "WARNING - text | data": the line of a check, with its performance data.
std::string nagios_line(nagios_status status, std::string text, std::string const& data = {});

/// Critical if a bit was wrong, or a pair is worse than --expect, otherwise a warning if something is named. The
/// performance data are the worst pair of each map, with the threshold of --expect.
nagios_report nagios_report_of(map_result const& result, map_options const& options,
                               std::vector<map_findings> const& findings);

} // namespace tools::map
