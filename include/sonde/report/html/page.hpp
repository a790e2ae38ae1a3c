// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/record.hpp>
#include <sonde/report/column.hpp>
#include <sonde/report/html/environment.hpp>
#include <sonde/report/html/escape.hpp>
#include <sonde/report/html/figures.hpp>
#include <sonde/report/html/frame.hpp>
#include <sonde/report/html/parameters.hpp>
#include <sonde/report/html/rows.hpp>
#include <sonde/report/html/table.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::detail {

/// What one benchmark found.
struct html_section {
    std::string name;
    std::vector<record> records{};
    std::vector<html_row> rows{};
};

/// All that a page shows: sections in the order their names came.
class html_page {
public:
    html_page(std::optional<environment> where, std::vector<column> columns)
        : where_{std::move(where)}, columns_{std::move(columns)} {}

    html_row const& add(record const& r) {
        auto& section = section_of(r.at.name);
        section.records.push_back(r);
        parameters_.add(r);
        return section.rows.emplace_back(html_row_of(r, columns_));
    }

    /// With figures, where gnuplot can be started.
    std::string text() const {
        html_artist artist;
        std::string results;
        for (auto const& s : sections_) results += section_text(s, artist);
        return begin() + summary() + results + why_no_figures(artist) + parameters_.text() + environment_text() +
               html_end();
    }

    /// What it begins with.
    std::string begin() const { return html_begin(where_ ? where_->command_line : std::string{}); }
    std::string environment_text() const { return where_ ? html_environment(*where_) : std::string{}; }

private:
    html_section& section_of(std::string const& name) {
        for (auto& s : sections_)
            if (s.name == name) return s;
        return sections_.emplace_back(html_section{name});
    }

    static std::string section_text(html_section const& s, html_artist& artist) {
        std::vector<html_row const*> rows;
        for (auto const& row : s.rows) rows.push_back(&row);
        return "<section>\n<h2>" + html_escaped(s.name) + "</h2>\n" + artist.figures(s.records) +
               html_table(s.name, rows) + "</section>\n";
    }

    static std::string why_no_figures(html_artist const& artist) {
        auto const& why = artist.complaint();
        return why.empty() ? why : "<p class=\"note\">Without figures: " + html_escaped(why) + ".</p>\n";
    }

    std::string summary() const {
        std::size_t count = 0, failures = 0;
        for (auto const& s : sections_)
            for (auto const& row : s.rows) {
                ++count;
                failures += row.failed;
            }
        auto const text = "<p class=\"summary\">" + counted(count, "record") + " of " +
                          counted(sections_.size(), "benchmark") + "</p>\n";
        if (failures == 0) return text;
        return text + "<p class=\"alarm\">\u2717 Wrong data in " + std::to_string(failures) + " of " +
               counted(count, "record") + ": see the rows with this mark.</p>\n";
    }

    std::optional<environment> where_;
    std::vector<column> columns_;
    std::vector<html_section> sections_;
    html_parameters parameters_;
};

} // namespace sonde::detail
