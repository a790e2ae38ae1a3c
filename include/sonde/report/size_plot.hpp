// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/canvas.hpp>
#include <sonde/report/collection.hpp>
#include <sonde/report/size_pages.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

inline std::string concatenated(pages const& all) {
    std::string text;
    for (auto const& page : all) text += page;
    return text;
}

/// Below one another in one picture.
inline std::string stacked(pages const& all) {
    return "set multiplot layout " + std::to_string(all.size()) + ",1\n" + concatenated(all) + "unset multiplot\n";
}

inline void draw_sizes(canvas const& on, std::vector<record> const& records, size_drawing const& how) {
    auto [figures, samples] = pages_of(records, how);
    if (figures.empty()) return;
    if (on.path.empty()) return draw(on, concatenated(figures));
    if (on.many_pages) return draw(on, concatenated(figures) + concatenated(samples));
    if (samples.size() == 1) figures.push_back(std::move(samples.front()));
    draw(canvas::of_file(on.path, static_cast<int>(figures.size())), stacked(figures));
}

} // namespace detail

/// One picture of all records over the parameter "bytes", drawn by gnuplot at the end: when `finish` is called, or
/// else when the last copy of the reporter is gone.
///
///     size_plot{"x.svg"}            latency over bandwidth, where there is one; below them all samples, of one series
///     size_plot{"x.png"}            the same
///     size_plot{"x.pdf"}            the same on pages, and all samples of each series
///     size_plot{canvas::tty()}      the figures as characters
///
/// Of a single size the samples are drawn. The records are kept until then. The constructor throws
/// std::invalid_argument for a file of another form, std::system_error where gnuplot is not there or the file cannot be
/// written. So does `finish`, of what fails at the end; without it that is said on stderr. A picture that was there
/// stays until the new one takes its place.
class size_plot {
public:
    explicit size_plot(std::string file, size_drawing how = {})
        : size_plot{canvas::of_file(std::move(file)), std::move(how)} {}
    explicit size_plot(canvas const& on, size_drawing how = {})
        : all_{std::make_shared<detail::collection>(
              on, [on, how = std::move(how)](auto const& records) { detail::draw_sizes(on, records, how); })} {}

    void operator()(record const& r) { all_->add(r); }
    /// Draws, once, after the last record.
    void finish() { all_->finish(); }

private:
    std::shared_ptr<detail::collection> all_;
};

} // namespace sonde
