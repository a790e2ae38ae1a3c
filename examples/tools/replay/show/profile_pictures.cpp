// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/profile_pictures.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tools::replay {

namespace {

using sonde::detail::fixed;

constexpr int left_margin = 70, top_margin = 50, plot_side = 400; // of all pictures, in their units

std::string figure(std::string const& svg, std::string const& caption) {
    return "<figure>\n" + svg + "<figcaption>" + caption + "</figcaption>\n</figure>\n";
}

std::string svg_begin(int width, int height, std::string const& label) {
    return "<svg viewBox=\"0 0 " + std::to_string(width) + ' ' + std::to_string(height) +
           "\" role=\"img\" aria-label=\"" + label +
           "\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#1c2430\">\n";
}

/// `more`: further attributes.
std::string text_at(double x, double y, std::string const& text, std::string const& more = "text-anchor=\"middle\"") {
    return "<text x=\"" + fixed(x, 1) + "\" y=\"" + fixed(y, 1) + "\" " + more + '>' + text + "</text>\n";
}
std::string end_at(double x, double y, std::string const& text) { return text_at(x, y, text, "text-anchor=\"end\""); }
std::string upwards_at(double x, double y, std::string const& text) {
    return text_at(x, y, text,
                   "text-anchor=\"middle\" transform=\"rotate(-90 " + fixed(x, 1) + ' ' + fixed(y, 1) + ")\"");
}

/// "404", "12.3 k", "4.57 M": a number, rounded to three digits if it has more than four.
std::string short_number(double n) {
    if (n < 9999.5) return fixed(n, 0);
    auto const* unit = "kMGTPE";
    for (n /= 1000; n >= 999.5 && unit[1] != '\0'; n /= 1000) ++unit;
    return fixed(n, n < 9.995 ? 2 : n < 99.95 ? 1 : 0) + ' ' + *unit;
}

/// From light to dark: from the least to the most, by the logarithm, with a factor of 10 or more between both ends.
long lightness(double n, double least, double most) {
    auto const range = std::log(std::max(most / least, 10.0));
    return n > 0 ? std::lround(20 + 60 * std::log(most / n) / range) : 90;
}
std::string color(long light) { return "hsl(215,60%," + std::to_string(light) + "%)"; }

/// Pairs of ranks in cells: of several ranks each, if there are more ranks than cells, so that the page of any number
/// of ranks is small.
struct cell_matrix {
    int ranks, per_cell, size;
    std::map<std::pair<int, int>, double> cells{};
    double least = 0, largest = 0; // but for cells of empty messages

    cell_matrix(trace const& t, profile const& p, double pair_totals::*which)
        : ranks{t.about.ranks}, per_cell{(ranks + most - 1) / most}, size{(ranks + per_cell - 1) / per_cell} {
        for (auto const& [pair, sum] : p.pairs) cells[{pair.first / per_cell, pair.second / per_cell}] += sum.*which;
        for (auto const& [place, n] : cells) {
            least = least == 0 || (n > 0 && n < least) ? n : least;
            largest = std::max(largest, n);
        }
    }
    std::string name(int cell) const {
        auto const first = cell * per_cell, last = std::min(first + per_cell, ranks) - 1;
        return std::to_string(first) + (first == last ? "" : " .. " + std::to_string(last));
    }
    double side() const { return static_cast<double>(plot_side) / size; }

    static constexpr int most = 64;
};

/// The cells, in units of a cell.
std::string cells_svg(cell_matrix const& m, std::string const& unit) {
    auto const side = std::to_string(m.size);
    auto text = "<g transform=\"translate(" + std::to_string(left_margin) + ' ' + std::to_string(top_margin) +
                ") scale(" + fixed(m.side(), 4) + ")\" shape-rendering=\"crispEdges\"><rect width=\"" + side +
                "\" height=\"" + side + "\" fill=\"#eef1f5\"/>\n";
    for (auto const& [place, n] : m.cells)
        text += "<rect x=\"" + std::to_string(place.second) + "\" y=\"" + std::to_string(place.first) +
                "\" width=\"1\" height=\"1\" fill=\"" + color(lightness(n, m.least, m.largest)) + "\"><title>" +
                m.name(place.first) + " \u2192 " + m.name(place.second) + ": " + fixed(n, 0) + ' ' + unit +
                "</title></rect>\n";
    return text + "</g>\n";
}

/// The numbers of a small matrix, in its cells.
std::string numbers_svg(cell_matrix const& m) {
    constexpr int most = 8;
    std::string text;
    if (m.size > most) return text;
    for (auto const& [place, n] : m.cells) {
        auto const* const ink = lightness(n, m.least, m.largest) < 60 ? "#fff" : "#1c2430";
        text +=
            text_at(left_margin + (place.second + 0.5) * m.side(), top_margin + (place.first + 0.5) * m.side() + 4.5,
                    short_number(n), std::string{"text-anchor=\"middle\" fill=\""} + ink + '"');
    }
    return text;
}

/// The ranks at the axes: at most 16 of them.
std::string axes_svg(cell_matrix const& m) {
    auto text = text_at(left_margin + plot_side / 2.0, 16, "to rank") +
                upwards_at(16, top_margin + plot_side / 2.0, "from rank");
    for (int cell = 0; cell < m.size; cell += (m.size + 15) / 16) {
        auto const rank = std::to_string(cell * m.per_cell);
        auto const middle = (cell + 0.5) * m.side();
        text += text_at(left_margin + middle, top_margin - 8, rank) +
                end_at(left_margin - 8, top_margin + middle + 4.5, rank);
    }
    return text;
}

/// The numbers of the colors: a bar from the largest number to the least, or one color.
std::string scale_svg(cell_matrix const& m, std::string const& unit) {
    constexpr int steps = 6, width = 18, x = left_margin + plot_side + 16;
    auto const count = m.least < m.largest ? steps : 1;
    std::string text = text_at(x, 16, unit, "");
    for (int i = 0; i != count; ++i) {
        auto const n = m.largest * std::pow(m.least / m.largest, count == 1 ? 0 : static_cast<double>(i) / (count - 1));
        auto const y = top_margin + 30 * i;
        text += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
                std::to_string(width) + "\" height=\"30\" fill=\"" + color(lightness(n, m.least, m.largest)) +
                "\"/>\n" + text_at(x + width + 6, y + 19, short_number(n), "");
    }
    return text;
}

std::uint64_t least_size(int bits) { return bits == 0 ? 0 : std::uint64_t{1} << (bits - 1); }

/// "512", "4 Ki", "1 Mi": a power of two.
std::string size_text(std::uint64_t bytes) {
    auto const* unit = " KMGTPE";
    for (; bytes >= 1024; bytes /= 1024) ++unit;
    return std::to_string(bytes) + (*unit == ' ' ? "" : std::string{' ', *unit, 'i'});
}

} // namespace

std::string matrix_figure(trace const& t, profile const& p, double pair_totals::*which, std::string const& title,
                          std::string const& unit) {
    cell_matrix const m{t, p, which};
    auto const ranks = m.per_cell == 1 ? "" : " of " + std::to_string(m.per_cell) + " ranks";
    auto const numbers = m.least < m.largest ? fixed(m.least, 0) + " (light) to " + fixed(m.largest, 0) + " (dark)"
                                             : fixed(m.largest, 0) + " in each that has messages";
    return figure(svg_begin(left_margin + plot_side + 100, top_margin + plot_side + 10, "Matrix of " + unit) +
                      cells_svg(m, unit) + numbers_svg(m) + axes_svg(m) + scale_svg(m, unit) + "</svg>\n",
                  title + " from each row" + ranks + " to each column" + ranks + ": " + numbers);
}

std::string size_histogram_figure(profile const& p) {
    constexpr int height = 300, fewest = 8, bottom = top_margin + height; // columns, so that a single one is no square
    auto const first = p.message_sizes.begin()->first, last = p.message_sizes.rbegin()->first;
    auto const columns = std::max(last - first + 1, fewest);
    auto const width = static_cast<double>(plot_side) / columns;
    double largest = 0;
    for (auto const& [bits, n] : p.message_sizes) largest = std::max(largest, n);
    auto text = svg_begin(left_margin + plot_side + 30, bottom + 50, "Histogram of message sizes");
    for (int part = 0; part <= 4; ++part) {
        auto const y = fixed(bottom - height * part / 4.0, 1);
        text += "<path d=\"M" + std::to_string(left_margin) + ' ' + y + "h" + std::to_string(plot_side) +
                "\" stroke=\"#c5ccd6\"/>\n" +
                end_at(left_margin - 8, bottom - height * part / 4.0 + 4.5, short_number(largest * part / 4));
    }
    for (auto const& [bits, n] : p.message_sizes) {
        auto const tall = n / largest * height;
        text += "<rect x=\"" + fixed(left_margin + width * (bits - first) + 1, 2) + "\" y=\"" +
                fixed(bottom - tall, 2) + "\" width=\"" + fixed(width - 2, 2) + "\" height=\"" + fixed(tall, 2) +
                "\" fill=\"" + color(45) + "\"><title>" + std::to_string(least_size(bits)) +
                " bytes or more: " + fixed(n, 0) + " messages</title></rect>\n";
    }
    for (int bits = first; bits <= last + 1; bits += 1 + (last - first) / 10)
        text += text_at(left_margin + width * (bits - first), bottom + 18, size_text(least_size(bits)));
    text += text_at(left_margin + plot_side / 2.0, bottom + 40, "bytes of a message") +
            upwards_at(16, top_margin + height / 2.0, "messages");
    return figure(text + "</svg>\n", "Number of messages by size: powers of two from " +
                                         std::to_string(least_size(first)) + " to below " +
                                         std::to_string(least_size(last + 1)) + " bytes");
}

} // namespace tools::replay
