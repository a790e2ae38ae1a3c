// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/canvas.hpp>
#include <sonde/report/file.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/size_pages.hpp>

#include <cstdio>
#include <exception>
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

/// Records that are drawn at the end.
struct collection {
    canvas on;
    size_drawing how;
    std::vector<record> records{};

    collection(canvas c, size_drawing h) : on{std::move(c)}, how{std::move(h)} {
        run_gnuplot("set terminal " + on.terminal, on.text);
        if (!on.path.empty()) output_file{on.path};
    }
    collection(collection const&) = delete;
    collection& operator=(collection const&) = delete;
    ~collection() {
        try {
            if (!records.empty()) draw_all();
        } catch (std::exception const& e) {
            std::fprintf(stderr, "%s\n", e.what()); // of a destructor nothing may be thrown
        }
    }

private:
    void draw_all() const {
        auto [figures, samples] = pages_of(records, how);
        if (on.path.empty()) return draw(on, concatenated(figures));
        if (on.many_pages) return draw(on, concatenated(figures) + concatenated(samples));
        if (samples.size() == 1) figures.push_back(std::move(samples.front()));
        draw(canvas::of_file(on.path, static_cast<int>(figures.size())), stacked(figures));
    }
};

} // namespace detail

/// One picture of all records over the parameter "bytes", drawn by gnuplot when the last copy of the reporter is gone.
///
///     size_plot{"x.svg"}            latency over bandwidth, where there is one; below them all samples, of one series
///     size_plot{"x.png"}            the same
///     size_plot{"x.pdf"}            the same on pages, and all samples of each series
///     size_plot{canvas::tty()}      the figures as characters
///
/// Of a single size the samples are drawn. The records are kept until then. The constructor throws
/// std::invalid_argument for a file of another form, std::system_error where gnuplot is not there or the file cannot be
/// written; what fails at the end is said on stderr.
class size_plot {
public:
    explicit size_plot(std::string file, size_drawing how = {})
        : size_plot{canvas::of_file(std::move(file)), std::move(how)} {}
    explicit size_plot(canvas on, size_drawing how = {})
        : all_{std::make_shared<detail::collection>(std::move(on), std::move(how))} {}

    void operator()(record const& r) { all_->records.push_back(r); }

private:
    std::shared_ptr<detail::collection> all_;
};

} // namespace sonde
