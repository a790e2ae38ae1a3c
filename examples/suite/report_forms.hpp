// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/report_file.hpp"

#include <sonde/drawing/html.hpp>
#include <sonde/drawing/plot.hpp>
#include <sonde/json/lines.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/openmetrics.hpp>
#include <sonde/report/table.hpp>

#include <optional>

namespace suite {

/// Calls `use(reporter)` with the reporter of Sonde that writes a report, and returns its result. The file is open.
/// Throws what the reporter's constructor and `use` throw.
template <class Use>
auto with_reporter(report_file const& asked, std::optional<sonde::environment> const& where, Use use) {
    if (asked.form == "table") return use(sonde::table{asked.path});
    if (asked.form == "csv") return use(sonde::csv{asked.path});
    if (asked.form == "plot") return use(sonde::size_plot{asked.path});
    if (asked.form == "html") return use(sonde::html{asked.path, where});
    if (asked.form == "openmetrics") return use(sonde::openmetrics{asked.path, where});
    return use(where ? sonde::json_lines{asked.path, *where} : sonde::json_lines{asked.path});
}

} // namespace suite
