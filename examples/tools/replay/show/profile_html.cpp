// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/profile_html.hpp"

#include "tools/replay/show/page_table.hpp"
#include "tools/replay/show/profile.hpp"
#include "tools/replay/show/profile_pictures.hpp"
#include "tools/replay/show/profile_text.hpp"
#include "tools/replay/show/waiting_html.hpp"

#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>
#include <sonde/report/text.hpp>

#include <vector>

namespace tools::replay {

namespace {

using sonde::detail::fixed;
using sonde::detail::html_escaped;

std::string text_of(double seconds) { return sonde::detail::time_text(sonde::seconds{seconds}); }

std::string phases_html(profile const& p) {
    std::vector<page_column> const columns{
        {"phase", false}, {"calls", true}, {"bytes sent", true}, {"MPI", true}, {"between", true}};
    auto text = table_begin("Phases", columns);
    for (std::size_t i = 0; i != p.phases.size(); ++i) {
        auto const& row = p.phases[i];
        if (row.totals.calls == 0) continue;
        text += row_of(columns, {phase_text(p, i), fixed(row.totals.calls, 0), fixed(row.totals.bytes, 0),
                                 text_of(row.totals.seconds), text_of(row.think)});
    }
    return text + sonde::detail::html_table_end;
}

std::string calls_html(profile const& p) {
    std::vector<page_column> const columns{{"call", false}, {"phase", false},     {"call site", false},
                                           {"calls", true}, {"bytes sent", true}, {"pairs", true},
                                           {"mean", true},  {"MPI", true},        {"slowest rank", true}};
    auto text = table_begin("Calls", columns);
    for (auto const& row : p.calls)
        text += row_of(columns, {row.call, phase_text(p, row.phase), row.site, fixed(row.totals.calls, 0),
                                 fixed(row.totals.bytes, 0), std::to_string(row.partners.size()),
                                 text_of(row.totals.seconds / row.totals.calls), text_of(row.totals.seconds),
                                 text_of(row.slowest_rank)});
    return text + sonde::detail::html_table_end;
}

/// Where the time is that ranks spend in MPI. Empty for a trace without time.
std::string conclusion(profile const& p) {
    auto const all = p.in_calls + p.between_calls;
    if (p.calls.empty() || !(all > 0)) return {};
    auto const& longest = p.calls.front();
    auto const percent = [](double part, double of) { return fixed(100 * part / of, 1) + " %"; };
    return "<ul class=\"conclusions\">\n<li>The ranks spend " + percent(p.in_calls, all) + " of their time in MPI; " +
           percent(longest.totals.seconds, p.in_calls) + " of it is in " +
           html_escaped(longest.call + (longest.site.empty() ? "" : " at " + longest.site)) + ", " +
           text_of(longest.totals.seconds / longest.totals.calls) + " in each call.</li>\n</ul>\n";
}

} // namespace

std::string profile_html(trace const& t, profile const& p, trace_waiting const& w) {
    auto page = sonde::detail::html_begin(t.about.command);
    auto const summary = summary_text(t, p);
    for (std::size_t at = 0; at < summary.size();) {
        auto const end = summary.find('\n', at);
        page += "<p class=\"summary\">" + html_escaped(summary.substr(at + 2, end - at - 2)) + "</p>\n"; // without "# "
        at = end + 1;
    }
    page += conclusion(p) + "<section>\n<h2>Phases</h2>\n" + phases_html(p) + "</section>\n" + waiting_html(w) +
            "<section>\n<h2>Calls</h2>\n" + calls_html(p) + "</section>\n";
    if (!p.pairs.empty())
        page += "<section>\n<h2>Messages</h2>\n<div class=\"figures\">\n" +
                matrix_figure(t, p, &pair_totals::bytes, "Bytes", "bytes") +
                matrix_figure(t, p, &pair_totals::messages, "Messages", "messages") + size_histogram_figure(p) +
                "</div>\n</section>\n";
    return page + sonde::detail::html_end();
}

} // namespace tools::replay
