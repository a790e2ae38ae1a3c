// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/form.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace suite {

/// A report of the command line: FORM=FILE.
struct report_file {
    sonde::report_form form;
    std::string path;
};

/// Names of the files.
inline std::vector<std::string> paths_of(std::vector<report_file> const& reports) {
    std::vector<std::string> all;
    for (auto const& report : reports) all.push_back(report.path);
    return all;
}

/// The accepted values of the option: "table=FILE, csv=FILE, ... or plot=FILE".
inline std::string report_accepted() {
    std::string text;
    for (auto const& row : sonde::report_forms) ((text += text.empty() ? "" : ", ") += row.name) += "=FILE";
    return text.replace(text.rfind(", "), 2, " or ");
}

/// Sentence of the option in the help.
inline std::string report_help() { return "full records: " + report_accepted() + "; may be repeated"; }

/// The report that a text names, "html=page.html"; empty for another text.
inline std::optional<report_file> report_file_of(std::string_view text) {
    auto const equals = text.find('=');
    if (equals == text.npos || equals + 1 == text.size()) return std::nullopt;
    auto const* const row = sonde::find_report_form(text.substr(0, equals));
    if (row == nullptr) return std::nullopt;
    return report_file{row->form, std::string{text.substr(equals + 1)}};
}

} // namespace suite
