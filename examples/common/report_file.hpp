// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <string>

namespace common {

/// A report that is asked for: FORM=FILE.
struct report_file {
    std::string form;
    std::string path;
};

inline bool is_report_form(std::string const& form) {
    for (auto const* known : {"table", "csv", "json", "html", "plot"})
        if (form == known) return true;
    return false;
}

/// What help says of the option, and a refusal of what it takes.
constexpr auto report_help = "full records: table, csv, json or html, or plot as .svg, .png or .pdf; may be repeated";
constexpr auto report_accepted = "table=FILE, csv=FILE, json=FILE, html=FILE or plot=FILE.svg, .png or .pdf";

} // namespace common
