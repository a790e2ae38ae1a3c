// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/canvas.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/html/escape.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sonde::detail {

/// What gnuplot draws of a page, as SVG. Small, so that its letters can be read on a phone; through a nameless file, so
/// that nothing is left behind.
inline std::string drawn_as_svg(std::string_view page) {
    auto const file = nameless("");
    draw({"svg background 'white' size 640,420 noenhanced font 'sans,14'", {}, file.get()}, page);
    std::rewind(file.get());
    std::string text;
    char block[4096];
    for (auto n = std::fread(block, 1, sizeof block, file.get()); n != 0;
         n = std::fread(block, 1, sizeof block, file.get()))
        text.append(block, n);
    return text;
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
