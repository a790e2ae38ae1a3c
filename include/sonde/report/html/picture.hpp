// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/canvas.hpp>
#include <sonde/report/figure.hpp>
#include <sonde/report/figure_page.hpp>
#include <sonde/report/html/escape.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sonde::detail {

inline constexpr std::size_t picture_letters = 45; // in a line of a legend

/// How high a picture is: a legend of more lines than three makes it higher, not its axes shorter.
inline std::size_t picture_height(figure const& f) {
    std::size_t longest = 0;
    for (auto const& c : f.curves) longest = std::max(longest, letters(c.name));
    auto const columns = std::max<std::size_t>(1, 500 / (70 + 8 * std::min(longest, picture_letters)));
    auto const lines = (f.curves.size() + columns - 1) / columns * legend_lines(f, picture_letters);
    return 420 + 22 * (std::max<std::size_t>(3, lines) - 3);
}

/// What gnuplot draws of a figure, as SVG. Small, so that its letters can be read on a phone.
inline std::string drawn_as_svg(figure const& f) {
    auto const size = " size 640," + std::to_string(picture_height(f));
    return drawn({"svg background 'white' noenhanced font 'sans,14'" + size}, figure_page(f, picture_letters));
}

/// The text with `prefix` inserted behind every `mark` that stands in a tag.
inline std::string prefixed(std::string_view svg, std::string_view mark, std::string_view prefix) {
    std::string text;
    bool in_tag = false;
    while (!svg.empty()) {
        if (in_tag && svg.starts_with(mark)) {
            text.append(mark).append(prefix);
            svg.remove_prefix(mark.size());
            continue;
        }
        if (svg.front() == '<' || svg.front() == '>') in_tag = svg.front() == '<';
        text += svg.front();
        svg.remove_prefix(1);
    }
    return text;
}

/// Names in a picture are those of the whole page: made its own, and so is what refers to them.
inline std::string with_own_names(std::string svg, std::string const& prefix) {
    for (auto const* mark : {" id='", " id=\"", "href='#", "href=\"#", "url(#"}) svg = prefixed(svg, mark, prefix);
    return svg;
}

/// gnuplot's SVG as an element of a page: without what stands around it, as wide as there is room, and with a text in
/// its place for who cannot see it. Throws std::runtime_error where it is no SVG.
inline std::string as_element(std::string_view svg, std::string const& prefix, std::string const& alternative) {
    auto const box = svg.find("viewBox=\""), drawn = svg.find("<g "), end = svg.rfind("</svg>");
    if (box > drawn || drawn > end || end == svg.npos) throw std::runtime_error{"gnuplot drew no SVG"};
    auto const extent = std::string{svg.substr(box, svg.find('"', box + 9) + 1 - box)};
    return "<svg role=\"img\" aria-label=\"" + html_escaped(alternative) + "\" " + extent + ">\n" +
           with_own_names(as_utf8(svg.substr(drawn, end - drawn)), prefix) + "</svg>\n";
}

} // namespace sonde::detail
