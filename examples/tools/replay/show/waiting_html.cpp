// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/waiting_html.hpp"

#include "tools/replay/show/page_table.hpp"
#include "tools/replay/show/waiting_text.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tools::replay {

namespace {

std::string loop_html(loop_waiting const& loop) {
    auto const title = "Waiting in " + waiting_title(loop);
    std::string text = "<ul class=\"conclusions\">\n";
    auto const sentences = waiting_sentences(loop);
    for (std::size_t i = 0; i != sentences.size(); ++i)
        text += "<li>" + sonde::detail::html_escaped((i == 0 ? title + ": " : "") + sentences[i]) + "</li>\n";
    text += "</ul>\n";
    auto const table = waiting_table(loop);
    if (table.size() == 1) return text;
    std::vector<page_column> columns;
    for (auto const& name : table[0]) columns.push_back({name, true});
    columns.front().is_number = columns.back().is_number = false;
    text += table_begin(title + ": shares of the ranks' time", columns);
    for (std::size_t i = 1; i != table.size(); ++i) {
        auto row = table[i];
        std::replace(row.begin(), row.end(), std::string{"-"}, std::string{"\u2013"});
        text += row_of(columns, row);
    }
    return text + sonde::detail::html_table_end;
}

} // namespace

std::string waiting_html(trace_waiting const& w) {
    std::string text = "<section>\n<h2>Waiting</h2>\n";
    if (!w.fault.empty()) text += "<p class=\"summary\">Not known: " + sonde::detail::html_escaped(w.fault) + ".</p>\n";
    for (auto const& loop : w.loops) text += loop_html(loop);
    return text + "</section>\n";
}

} // namespace tools::replay
