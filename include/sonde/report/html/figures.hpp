// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/figure.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/html/document.hpp>
#include <sonde/report/rank_pages.hpp>
#include <sonde/report/size_figures.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::detail {

inline canvas svg_canvas(std::size_t height) {
    return {"svg background 'white' noenhanced font 'sans,14' size 640," + std::to_string(height)};
}

/// Draw a figure as SVG, small enough for its text to be readable on a phone. A legend of more than three lines makes
/// the picture higher, not the axes shorter.
inline std::string draw_svg(figure const& f) {
    constexpr std::size_t legend_width = 45, legend_rows = 3;
    std::size_t longest = 0;
    for (auto const& c : f.curves) longest = std::max(longest, character_count(c.name));
    auto const columns = std::max<std::size_t>(1, 500 / (70 + 8 * std::min(longest, legend_width)));
    auto const rows = (f.curves.size() + columns - 1) / columns * legend_lines(f, legend_width);
    auto const height = 420 + 22 * (std::max(legend_rows, rows) - legend_rows);
    return picture(svg_canvas(height), figure_page(f, legend_width));
}

/// The ranks of a record as they are drawn: commands of gnuplot in place of the samples, which may be many.
struct rank_figures {
    std::string name;    // of the record
    std::string title;   // the parameters of the record
    std::string summary; // names the stragglers
    double spread = 1;   // of the ranks' medians
    std::string violins{}, strip{};

    explicit rank_figures(record const& r)
        : name{r.point.name}, title{title_of({r.point.parameters.empty() ? r.point.name : "", r.point.parameters})},
          summary{joined(straggler_texts(r), " ")}, spread{rank_spread(rank_medians(r))} {
        if (summary.empty()) summary = "No rank was the slowest more often than chance allows.";
        violins = rank_violin_page("", r);
        strip = rank_strip_page("", r);
    }

    /// True if there is something to draw: several ranks and samples, and a positive time.
    static bool possible(record const& r) {
        return r.ranks > 1 && samples_per_rank(r) > 1 &&
               std::any_of(r.rank_samples.begin(), r.rank_samples.end(), [](seconds t) { return t > seconds{0}; });
    }
};

/// The SVG with `prefix` before its identifiers and in the references to them, which are all inside of tags.
inline std::string prefixed(std::string_view svg, std::string_view prefix) {
    std::string text;
    for (bool in_tag = false; !svg.empty();) {
        in_tag = svg.front() == '<' || (in_tag && svg.front() != '>');
        std::size_t length = 1;
        for (std::string_view const mark : {" id='", " id=\"", "href='#", "href=\"#", "url(#"})
            if (in_tag && svg.starts_with(mark)) length = mark.size();
        text.append(svg.substr(0, length)).append(length == 1 ? "" : prefix);
        svg.remove_prefix(length);
    }
    return text;
}

/// gnuplot's SVG as an element of a page: without the XML prolog, scaled to the available width, with an alternative
/// text. Identifiers are unique within a page, because the identifiers of the picture begin with `prefix`. Throws
/// std::runtime_error if the text is no SVG.
inline std::string svg_element(std::string_view svg, std::string const& prefix, std::string const& alternative) {
    auto const box = svg.find("viewBox=\""), begin = svg.find("<g "), end = svg.rfind("</svg>");
    if (box > begin || begin > end || end == svg.npos) throw std::runtime_error{"gnuplot drew no SVG"};
    auto const view_box = std::string{svg.substr(box, svg.find('"', box + 9) + 1 - box)};
    return "<svg role=\"img\" aria-label=\"" + html_escaped(alternative) + "\" " + view_box + ">\n" +
           prefixed(as_utf8(svg.substr(begin, end - begin)), prefix) + "</svg>\n";
}

/// True if a curve has two points or more: a single point is no figure.
inline bool worth_drawing(figure const& f) {
    return std::any_of(f.curves.begin(), f.curves.end(), [](curve const& c) {
        std::size_t points = 0;
        for (std::size_t i = 0; i != c.y.size(); ++i) points += c.x[i] > 0 && c.y[i].value_or(0) > 0;
        return points > 1;
    });
}

/// The alternative text of a figure.
inline std::string description(figure const& f) {
    auto text = "Figure: " + f.y_axis.label + " over " + f.x_axis.label + ", " + f.title;
    for (auto const& c : f.curves)
        if (!c.name.empty()) text += "; " + c.name;
    return text + ". The table below has the values.";
}

/// Draws the figures of a page. After the first failure of gnuplot nothing is drawn, and `error` is its message.
class figure_writer {
public:
    std::string figures(std::vector<record> const& records) {
        std::string all;
        for (auto const& part : split_into_figures(records))
            all += element(latency_figure(part)) + element(bandwidth_figure(part));
        return all.empty() ? all : "<div class=\"figures\">\n" + all + "</div>\n";
    }
    /// The violins and the strip of a record's ranks.
    std::string figures(rank_figures const& of) {
        auto const all = element("Distribution of the times of each rank", "Violins, one for each rank. " + of.summary,
                                 [&] { return picture(svg_canvas(420), of.violins); }) +
                         element("Time of each rank in each sample",
                                 "A row for each rank, a column for each sample, times as colors. " + of.summary,
                                 [&] { return picture(svg_canvas(420), of.strip); });
        return all.empty() ? all : "<div class=\"figures\">\n" + all + "</div>\n";
    }
    std::string const& error() const { return error_; }

private:
    std::string element(figure f) {
        if (!worth_drawing(f)) return {};
        auto const alternative = description(f), title = std::exchange(f.title, {});
        return element(title, alternative, [&] { return draw_svg(f); });
    }

    /// The title is text of the page, above the picture, so that a browser wraps it.
    template <class Draw>
    std::string element(std::string const& title, std::string const& alternative, Draw const& draw_it) {
        if (!error_.empty()) return {};
        try {
            auto const prefix = "f" + std::to_string(++count_) + "-";
            return "<figure>\n<figcaption>" + html_escaped(title) + "</figcaption>\n" +
                   svg_element(draw_it(), prefix, alternative) + "</figure>\n";
        } catch (std::exception const& e) {
            error_ = e.what();
            return {};
        }
    }

    std::size_t count_ = 0;
    std::string error_;
};

} // namespace sonde::detail
