// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <array>
#include <string>
#include <string_view>

namespace sonde::inline v0_1 {

/// The forms of a report, for the command lines of programs and for files that are named by a user.
enum class report_form : unsigned char { table, csv, json_lines, html, openmetrics, plot };

/// A row of `report_forms`.
struct report_form_properties {
    report_form form;                        // its enumerator
    std::string_view name;                   // its word on a command line
    std::array<std::string_view, 3> endings; // of names of files; unused ones are empty
    char const* help;                        // what it is, for the help of a program
    bool has_environment = false;            // the file begins or ends with the environment
    bool is_drawn = false;                   // for people, who read a few parameters
    bool needs_rank_samples = false;         // draws `record::rank_samples`
};

/// All forms of a report, in the order of their enumerators. A new form is a row here and a case of `open_report`.
inline constexpr std::array report_forms{
    report_form_properties{report_form::table, "table", {".txt"}, "aligned table"},
    report_form_properties{report_form::csv, "csv", {".csv"}, "comma-separated values"},
    report_form_properties{.form = report_form::json_lines,
                           .name = "json",
                           .endings = {".jsonl"},
                           .help = "JSON Lines, which sonde-report and sonde-compare read",
                           .has_environment = true},
    report_form_properties{.form = report_form::html,
                           .name = "html",
                           .endings = {".html"},
                           .help = "page for a browser: figures, tables, environment",
                           .has_environment = true,
                           .is_drawn = true,
                           .needs_rank_samples = true},
    report_form_properties{.form = report_form::openmetrics,
                           .name = "openmetrics",
                           .endings = {".prom"},
                           .help = "gauges for monitoring",
                           .has_environment = true},
    report_form_properties{.form = report_form::plot,
                           .name = "plot",
                           .endings = {".svg", ".png", ".pdf"},
                           .help = "picture of all sizes: FILE.svg, FILE.png or FILE.pdf",
                           .is_drawn = true},
};

/// The row of a form.
[[nodiscard]] constexpr report_form_properties const& properties_of(report_form form) {
    return report_forms[static_cast<unsigned char>(form)];
}

/// The form with this word; null if there is none.
[[nodiscard]] constexpr report_form_properties const* find_report_form(std::string_view name) {
    for (auto const& row : report_forms)
        if (row.name == name) return &row;
    return nullptr;
}

/// The form of a file, by the ending of its name; null if no form has it.
[[nodiscard]] constexpr report_form_properties const* report_form_of_file(std::string_view file) {
    for (auto const& row : report_forms)
        for (auto const ending : row.endings)
            if (!ending.empty() && file.ends_with(ending)) return &row;
    return nullptr;
}

/// The endings of all forms, for help texts and refusals: ".txt, .csv, .jsonl, .html, .prom, .svg, .png or .pdf".
[[nodiscard]] inline std::string report_endings() {
    std::string text;
    for (auto const& row : report_forms)
        for (auto const ending : row.endings)
            if (!ending.empty()) (text += text.empty() ? "" : ", ") += ending;
    return text.replace(text.rfind(", "), 2, " or ");
}

} // namespace sonde
