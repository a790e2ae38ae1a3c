// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>
#include <sonde/report/any_reporter.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/form.hpp>
#include <sonde/report/openmetrics.hpp>
#include <sonde/report/table.hpp>
#if __has_include(<nlohmann/json.hpp>)
#include <sonde/json/lines.hpp>
#endif
#if __has_include(<sonde/drawing/html.hpp>)
#include <sonde/drawing/html.hpp>
#include <sonde/drawing/plot.hpp>
#endif

#include <optional>
#include <stdexcept>
#include <string>

namespace sonde::inline v0_1 {

/// A reporter that writes a file of this form, which is open then. Throws what the reporter's constructor throws, and
/// std::invalid_argument if the program was built without what the form needs. Each file of a program has a function of
/// its own, because that is decided where it is compiled.
[[nodiscard, maybe_unused]] static any_reporter open_report(report_form form, std::string const& path,
                                                            std::optional<environment> const& where) {
    switch (form) {
    case report_form::table:
        return table{path};
    case report_form::csv:
        return csv{path};
    case report_form::openmetrics:
        return openmetrics{path, where};
    case report_form::json_lines:
#if __has_include(<nlohmann/json.hpp>)
        return where ? json_lines{path, *where} : json_lines{path};
#else
        throw std::invalid_argument{"sonde: this library was built without nlohmann/json, which .jsonl needs"};
#endif
#if __has_include(<sonde/drawing/html.hpp>)
    case report_form::html:
        return html{path, where};
    case report_form::plot:
        return size_plot{path};
#else
    case report_form::html:
    case report_form::plot:
        throw std::invalid_argument{"sonde: this program was built without sonde-drawing, which " + path +
                                    " needs: write .jsonl, and draw by sonde-report"};
#endif
    }
    throw std::invalid_argument{"sonde: there is no such form of a report"};
}

} // namespace sonde
