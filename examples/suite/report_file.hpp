// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>

namespace suite {

/// A report of the command line: FORM=FILE.
struct report_file {
    std::string form;
    std::string path;
};

/// Sentence of the option in the help, and its accepted values in a refusal.
constexpr auto report_help =
    "full records: table, csv, json or html, openmetrics, or plot as .svg, .png or .pdf; may be repeated";
constexpr auto report_accepted =
    "table=FILE, csv=FILE, json=FILE, html=FILE, openmetrics=FILE or plot=FILE.svg, .png or .pdf";

/// The report that a text names, "html=page.html"; empty for another text.
inline std::optional<report_file> report_file_of(std::string const& text) {
    auto const equals = text.find('=');
    if (equals == text.npos || equals + 1 == text.size()) return std::nullopt;
    report_file const found{text.substr(0, equals), text.substr(equals + 1)};
    for (auto const* form : {"table", "csv", "json", "html", "openmetrics", "plot"})
        if (found.form == form) return found;
    return std::nullopt;
}

} // namespace suite
