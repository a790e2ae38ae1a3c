// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/profile.hpp"

#include <sonde/report/html/contents.hpp>
#include <sonde/report/html/document.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>
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
    std::vector<column> const columns{{"call", false},          {"phase", false},     {"call site", false},
                                      {"calls", true},          {"bytes sent", true}, {"pairs", true},
                                      {"mean (\u00b5s)", true}, {"MPI (s)", true},    {"slowest rank (s)", true}};
    auto text = table_begin("Calls", columns);
    for (auto const& row : p.calls)
        text += row_of(columns, {row.call, phase_text(p, row.phase), row.site, fixed(row.totals.calls, 0),
                                 fixed(row.totals.bytes, 0), std::to_string(row.partners.size()),
                                 fixed(row.totals.seconds / row.totals.calls * 1e6, 2), fixed(row.totals.seconds, 6),
                                 fixed(row.slowest_rank, 6)});
    return text + sonde::detail::html_table_end;
}

std::string figure(std::string const& svg, std::string const& caption) {
    return "<figure>\n" + svg + "<figcaption>" + caption + "</figcaption>\n</figure>\n";
}

/// From light to dark: from the least to the most, by the logarithm, with a factor of 10 or more between both ends.
long lightness(double n, double least, double most) {
    auto const range = std::log(std::max(most / least, 10.0));
    return std::lround(20 + 60 * std::log(most / n) / range);
}

/// Cells of several ranks each, if there are more ranks than cells, so that the page of any number of ranks is small.
std::string matrix(trace const& t, profile const& p, double pair_totals::*which, char const* title, char const* unit) {
    constexpr int most = 64;
    auto const per_cell = (t.about.ranks + most - 1) / most, size = (t.about.ranks + per_cell - 1) / per_cell;
    std::map<std::pair<int, int>, double> cells;
    for (auto const& [ranks, sum] : p.pairs) cells[{ranks.first / per_cell, ranks.second / per_cell}] += sum.*which;
    double least = 0, largest = 0; // but for cells of empty messages
    for (auto const& [place, n] : cells) {
        least = least == 0 || (n > 0 && n < least) ? n : least;
        largest = std::max(largest, n);
    }
    auto const side = std::to_string(size);
    auto text = "<svg viewBox=\"0 0 " + side + ' ' + side + "\" role=\"img\" aria-label=\"Matrix of " + unit +
                "\" shape-rendering=\"crispEdges\"><rect width=\"" + side + "\" height=\"" + side +
                "\" fill=\"#eef1f5\"/>\n";
    auto const ranks_in = [&](int cell) {
        auto const first = cell * per_cell, last = std::min(first + per_cell, t.about.ranks) - 1;
        return std::to_string(first) + (first == last ? "" : " .. " + std::to_string(last));
    };
    for (auto const& [place, n] : cells) {
        auto const light = std::to_string(n > 0 ? lightness(n, least, largest) : 90);
        text += "<rect x=\"" + std::to_string(place.second) + "\" y=\"" + std::to_string(place.first) +
                "\" width=\"1\" height=\"1\" fill=\"hsl(215,60%," + light + "%)\"><title>" + ranks_in(place.first) +
                " \u2192 " + ranks_in(place.second) + ": " + fixed(n, 0) + ' ' + unit + "</title></rect>\n";
    }
    auto const ranks = per_cell == 1 ? "" : " of " + std::to_string(per_cell) + " ranks";
    return figure(text + "</svg>\n", std::string{title} + " from each row" + ranks + " to each column" + ranks +
                                         ", rank 0 at the top left: " + fixed(least, 0) + " (light) to " +
                                         fixed(largest, 0) + " (dark)");
}

std::string histogram(profile const& p) {
    constexpr int width = 12, height = 100, fewest = 16; // columns, so that a single one is no square
    auto const first = p.message_sizes.begin()->first, last = p.message_sizes.rbegin()->first;
    double largest = 0;
    for (auto const& [bits, n] : p.message_sizes) largest = std::max(largest, n);
    auto text = "<svg viewBox=\"0 0 " + std::to_string(width * std::max(last - first + 1, fewest)) + ' ' +
                std::to_string(height) + "\" role=\"img\" aria-label=\"Histogram of message sizes\">\n";
    auto const bound = [](int bits) { return bits == 0 ? 0 : std::uint64_t{1} << (bits - 1); };
    for (auto const& [bits, n] : p.message_sizes) {
        auto const tall = n / largest * height;
        text += "<rect x=\"" + std::to_string(width * (bits - first)) + "\" y=\"" + fixed(height - tall, 2) +
                "\" width=\"" + std::to_string(width - 1) + "\" height=\"" + fixed(tall, 2) +
                "\" fill=\"hsl(215,60%,45%)\"><title>" + std::to_string(bound(bits)) +
                " bytes or more: " + fixed(n, 0) + " messages</title></rect>\n";
    }
    return figure(text + "</svg>\n", "Number of messages by size: powers of two from " + std::to_string(bound(first)) +
                                         " to below " + std::to_string(bound(last + 1)) + " bytes");
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
                matrix(t, p, &pair_totals::bytes, "Bytes", "bytes") +
                matrix(t, p, &pair_totals::messages, "Messages", "messages") + histogram(p) + "</div>\n</section>\n";
    return page + sonde::detail::html_end();
}

} // namespace tools::replay
