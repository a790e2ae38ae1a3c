// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/canvas.hpp>
#include <sonde/report/collection.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/sample_metric.hpp>

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// The point's name and parameters as part of a file name: `ping_pong-4096`.
inline std::string file_label(point const& at) {
    auto label = at.name;
    for (auto const& p : at.parameters) label += (label.empty() ? "" : "-") + p.text;
    for (char& c : label)
        if (c == '/' || static_cast<unsigned char>(c) <= ' ') c = '_';
    return label;
}

/// The path with the label in front of its suffix.
inline std::string labelled(std::string const& path, std::string const& label) {
    auto const dot = path.find_last_of("./");
    auto const suffix = dot == std::string::npos || path[dot] == '/' ? path.size() : dot;
    return path.substr(0, suffix) + (label.empty() ? "" : "-") + label + path.substr(suffix);
}

/// Throws std::system_error where no file can be made beside `path`.
inline void require_folder(std::string const& path) {
    auto const slash = path.rfind('/');
    auto const folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw std::system_error{errno, std::generic_category(), "cannot write into '" + folder + "'"};
}

inline void draw_samples(canvas const& on, std::vector<record> const& records, sample_metric const& what) {
    std::string all;
    for (auto const& r : records) all += page_of(r, what);
    if (!all.empty()) draw(on, all);
}

} // namespace detail

/// A picture of all samples of every record that has initiators, drawn by gnuplot, which is looked for at run time.
///
///     plot{canvas::tty()}              on the terminal, below what else is reported
///     plot{canvas::png("x.png")}       x-ping_pong-4096.png ..., one for each record; svg likewise
///     plot{canvas::pdf("x.pdf")}       one page for each record, drawn at the end
///
/// The end is when `finish` is called, or else when the last copy of the reporter is gone. gnuplot runs, and is waited
/// for, within the call: never while something is measured. The constructor throws std::system_error where gnuplot is
/// not there or the picture cannot be written, std::runtime_error where gnuplot does not know the terminal. So does
/// `finish`, of what fails at the end; without it that is said on stderr.
class plot {
public:
    explicit plot(canvas on, sample_metric what = {}) : on_{std::move(on)}, what_{std::move(what)} {
        auto const later = [on = on_, what = what_](auto const& all) { detail::draw_samples(on, all, what); };
        if (on_.many_pages) {
            all_ = std::make_shared<detail::collection>(on_, later);
            return;
        }
        run_gnuplot("set terminal " + on_.terminal, on_.text);
        if (!on_.path.empty()) detail::require_folder(on_.path);
    }

    void operator()(record const& r) {
        if (all_) return all_->add(r);
        auto const page = detail::page_of(r, what_);
        if (page.empty()) return;
        auto here = on_;
        if (!here.path.empty()) here.path = detail::labelled(here.path, detail::file_label(r.at));
        draw(here, page);
    }

    /// Draws what is drawn at the end, once, after the last record.
    void finish() {
        if (all_) all_->finish();
    }

private:
    canvas on_;
    sample_metric what_;
    std::shared_ptr<detail::collection> all_; // of a file of many pages
};

} // namespace sonde
