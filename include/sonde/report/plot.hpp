// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/canvas.hpp>
#include <sonde/report/file.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/sample_metric.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

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

/// Pages of one file, drawn at the end.
struct book {
    canvas on;
    std::string pages{};

    explicit book(canvas c) : on{std::move(c)} { output_file{on.path}; }
    book(book const&) = delete;
    book& operator=(book const&) = delete;
    ~book() {
        try {
            if (!pages.empty()) draw(on, pages);
        } catch (std::exception const& e) {
            std::fprintf(stderr, "%s\n", e.what()); // of a destructor nothing may be thrown
        }
    }
};

} // namespace detail

/// A picture of all samples of every record, drawn by gnuplot, which is looked for at run time.
///
///     plot{canvas::tty()}              on the terminal, below what else is reported
///     plot{canvas::png("x.png")}       x-ping_pong-4096.png ..., one for each record; svg likewise
///     plot{canvas::pdf("x.pdf")}       one page for each record, drawn when the last copy of the reporter is gone
///
/// gnuplot runs, and is waited for, within the call: never while something is measured. The constructor throws
/// std::system_error where gnuplot is not there or the picture cannot be written, std::runtime_error where gnuplot does
/// not know the terminal.
class plot {
public:
    explicit plot(canvas on, sample_metric what = {}) : on_{std::move(on)}, what_{std::move(what)} {
        run_gnuplot("set terminal " + on_.terminal, on_.text);
        if (on_.many_pages) book_ = std::make_shared<detail::book>(on_);
        else if (!on_.path.empty()) detail::require_folder(on_.path);
    }

    void operator()(record const& r) {
        auto const page = detail::page_of(r, what_);
        if (book_) {
            book_->pages += page;
            return;
        }
        auto here = on_;
        if (!here.path.empty()) here.path = detail::labelled(here.path, detail::file_label(r.at));
        draw(here, page);
    }

private:
    canvas on_;
    sample_metric what_;
    std::shared_ptr<detail::book> book_;
};

} // namespace sonde
