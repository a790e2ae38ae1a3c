// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/profile_html.hpp"

#include "tools/replay/show/profile.hpp"
#include "tools/replay/show/profile_pictures.hpp"
#include "tools/replay/show/profile_text.hpp"

#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>
#include <sonde/report/text.hpp>

#include <vector>

namespace tools::replay {

namespace {

using sonde::detail::fixed;
using sonde::detail::html_escaped;

struct column {
    char const* name;
    bool is_number;
};

std::string table_begin(std::string const& caption, std::vector<column> const& columns) {
    auto text = "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"" + caption +
                "\">\n<table class=\"results\">\n<caption>" + caption + "</caption>\n<thead><tr>";
    for (auto const& c : columns)
        text += std::string{"<th scope=\"col\""} + (c.is_number ? " class=\"number\"" : "") + '>' + c.name + "</th>";
    return text + "</tr></thead>\n<tbody>\n";
}

std::string row_of(std::vector<column> const& columns, std::vector<std::string> const& cells) {
    std::string text = "<tr>";
    for (std::size_t i = 0; i != cells.size(); ++i)
        text += std::string{"<td"} + (columns[i].is_number ? " class=\"number\"" : "") + '>' + html_escaped(cells[i]) +
                "</td>";
    return text + "</tr>\n";
}

std::string phases_html(profile const& p) {
    std::vector<column> const columns{
        {"phase", false}, {"calls", true}, {"bytes sent", true}, {"MPI (s)", true}, {"between (s)", true}};
    auto text = table_begin("Phases", columns);
    for (std::size_t i = 0; i != p.phases.size(); ++i) {
        auto const& row = p.phases[i];
        if (row.totals.calls == 0) continue;
        text += row_of(columns, {phase_text(p, i), fixed(row.totals.calls, 0), fixed(row.totals.bytes, 0),
                                 fixed(row.totals.seconds, 6), fixed(row.think, 6)});
    }
    return text + sonde::detail::html_table_end;
}

std::string calls_html(profile const& p) {
    std::vector<column> const columns{{"call", false},     {"phase", false},     {"call site", false},
                                      {"calls", true},     {"bytes sent", true}, {"pairs", true},
                                      {"mean (us)", true}, {"MPI (s)", true},    {"slowest rank (s)", true}};
    auto text = table_begin("Calls", columns);
    for (auto const& row : p.calls)
        text += row_of(columns, {row.call, phase_text(p, row.phase), row.site, fixed(row.totals.calls, 0),
                                 fixed(row.totals.bytes, 0), std::to_string(row.partners.size()),
                                 fixed(row.totals.seconds / row.totals.calls * 1e6, 2), fixed(row.totals.seconds, 6),
                                 fixed(row.slowest_rank, 6)});
    return text + sonde::detail::html_table_end;
}

} // namespace

std::string profile_html(trace const& t, profile const& p) {
    auto page = sonde::detail::html_begin(t.about.command);
    auto const summary = summary_text(t, p);
    for (std::size_t at = 0; at < summary.size();) {
        auto const end = summary.find('\n', at);
        page += "<p class=\"summary\">" + html_escaped(summary.substr(at + 2, end - at - 2)) + "</p>\n"; // without "# "
        at = end + 1;
    }
    page += "<section>\n<h2>Phases</h2>\n" + phases_html(p) + "</section>\n<section>\n<h2>Calls</h2>\n" +
            calls_html(p) + "</section>\n";
    if (!p.pairs.empty())
        page += "<section>\n<h2>Messages</h2>\n<div class=\"figures\">\n" +
                matrix_figure(t, p, &pair_totals::bytes, "Bytes", "bytes") +
                matrix_figure(t, p, &pair_totals::messages, "Messages", "messages") + size_histogram_figure(p) +
                "</div>\n</section>\n";
    return page + sonde::detail::html_end();
}

} // namespace tools::replay
