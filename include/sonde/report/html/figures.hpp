// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/figure.hpp>
#include <sonde/report/html/escape.hpp>
#include <sonde/report/html/picture.hpp>
#include <sonde/report/parted.hpp>
#include <sonde/report/size_figures.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace sonde::detail {

/// Whether a curve has two points at least: one would be drawn as a dot in the void.
inline bool worth_drawing(figure const& f) {
    for (auto const& c : f.curves) {
        std::size_t points = 0;
        for (std::size_t i = 0; i != c.y.size(); ++i) points += c.x[i] > 0 && c.y[i] > 0;
        if (points > 1) return true;
    }
    return false;
}

/// What a figure shows, in words.
inline std::string in_words(figure const& f) {
    auto text = "Figure: " + f.up.label + " over " + f.across.label + ", " + f.title;
    for (auto const& c : f.curves)
        if (!c.name.empty()) text += "; " + c.name;
    return text + ". The table below has the values.";
}

/// Draws the figures of a page, until gnuplot fails: then it says why, and draws no more.
class html_artist {
public:
    std::string figures(std::vector<record> const& records) {
        std::string all;
        for (auto const& part : parted(records)) all += picture(latency_figure(part)) + picture(bandwidth_figure(part));
        return all.empty() ? all : "<div class=\"figures\">\n" + all + "</div>\n";
    }
    std::string const& complaint() const { return complaint_; }

private:
    /// The title stands above the picture, as text of the page: its lines are broken where there is no room.
    std::string picture(figure f) {
        if (!complaint_.empty() || !worth_drawing(f)) return {};
        auto const words = in_words(f), title = std::exchange(f.title, {});
        try {
            auto const prefix = "f" + std::to_string(++count_) + "-";
            return "<figure>\n<figcaption>" + html_escaped(title) + "</figcaption>\n" +
                   as_element(drawn_as_svg(f), prefix, words) + "</figure>\n";
        } catch (std::exception const& e) {
            complaint_ = e.what();
            return {};
        }
    }

    std::size_t count_ = 0;
    std::string complaint_;
};

} // namespace sonde::detail
