// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/waiting_html.hpp"

#include "tools/replay/show/page_table.hpp"
#include "tools/replay/show/waiting_text.hpp"

#include <sonde/lateness/sentences.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tools::replay {

namespace {

std::string table_html(std::vector<cells> table, std::string const& title, bool ends_with_text) {
    if (table.size() == 1) return {};
    std::vector<page_column> columns;
    for (auto const& name : table[0]) columns.push_back({name, true});
    columns.front().is_number = false;
    columns.back().is_number = !ends_with_text;
    auto text = table_begin(title, columns);
    for (std::size_t i = 1; i != table.size(); ++i) {
        std::replace(table[i].begin(), table[i].end(), std::string{"-"}, std::string{"\u2013"});
        text += row_of(columns, table[i]);
    }
    return text + sonde::detail::html_table_end;
}

std::string loop_html(loop_waiting const& loop) {
    auto const title = "Waiting in " + waiting_title(loop);
    std::string text = "<ul class=\"conclusions\">\n";
    auto const sentences = sonde::sentences(loop.lateness);
    for (std::size_t i = 0; i != sentences.size(); ++i)
        text += "<li>" + sonde::detail::html_escaped((i == 0 ? title + ": " : "") + sentences[i]) + "</li>\n";
    return text + "</ul>\n" + table_html(waiting_table(loop), title + ": shares of the ranks' time", true) +
           table_html(late_table(loop), title + ": who caused it", false);
}

} // namespace

std::string waiting_html(trace_waiting const& w) {
    std::string text = "<section>\n<h2>Waiting</h2>\n";
    if (!w.fault.empty()) text += "<p class=\"summary\">Not known: " + sonde::detail::html_escaped(w.fault) + ".</p>\n";
    for (auto const& loop : w.loops) text += loop_html(loop);
    return text + "</section>\n";
}

} // namespace tools::replay
