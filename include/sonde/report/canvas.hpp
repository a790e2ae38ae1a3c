// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/file.hpp>
#include <sonde/report/gnuplot.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace sonde {

/// What pages are drawn on.
struct canvas {
    std::string terminal; // gnuplot's
    std::string path{};   // a picture file; empty: characters, to `text`
    std::FILE* text = stdout;
    bool many_pages = false; // in one file

    static canvas tty(int columns = 120, int rows = 40, std::FILE* to = stdout) {
        return {"dumb mono noenhanced" + extent(columns, rows), {}, to};
    }
    static canvas png(std::string file, int width = 2048, int height = 1080) {
        return {"pngcairo linewidth 2" + extent(width, height) + letters(height / 50 + 4), std::move(file)};
    }
    static canvas svg(std::string file, int width = 1024, int height = 540) {
        return {svg_terminal + extent(width, height) + letters(height / 50 + 4), std::move(file)};
    }
    static canvas pdf(std::string file) {
        return {"pdfcairo linewidth 2 size 25cm,13cm" + letters(12), std::move(file), stdout, true};
    }
    /// A picture by the suffix of its file, high enough for so many figures. Throws std::invalid_argument for another
    /// one than .svg, .png and .pdf.
    static canvas of_file(std::string file, int figures = 1) {
        auto const high = 430 * figures + 110;
        auto const size = extent(1024, high), twice = extent(2048, 2 * high);
        if (file.ends_with(".svg")) return {svg_terminal + size + letters(14), std::move(file)};
        if (file.ends_with(".png")) return {"pngcairo linewidth 3 pointscale 2" + twice + letters(25), std::move(file)};
        if (file.ends_with(".pdf")) return pdf(std::move(file));
        throw std::invalid_argument{"a picture's file ends in .svg, .png or .pdf: not '" + file + "'"};
    }

private:
    static constexpr char const* svg_terminal = "svg background 'white' linewidth 1.5";
    static std::string extent(int x, int y) { return " size " + std::to_string(x) + ',' + std::to_string(y); }
    static std::string letters(int points) { return " noenhanced font 'sans," + std::to_string(points) + "'"; }
};

namespace detail {

inline std::string script_for(canvas const& on, std::string_view pages) {
    return ("set encoding utf8\nset terminal " + on.terminal + '\n').append(pages);
}

/// A picture file as gnuplot draws it; through a nameless one, so that nothing is left behind.
inline std::string drawn(canvas const& on, std::string_view pages) {
    auto const file = nameless("");
    run_gnuplot(script_for(on, pages), file.get());
    std::rewind(file.get());
    std::string text;
    char block[4096];
    for (auto n = std::fread(block, 1, sizeof block, file.get()); n != 0;
         n = std::fread(block, 1, sizeof block, file.get()))
        text.append(block, n);
    return text;
}

/// Throws std::system_error where gnuplot is not there or the file cannot be written, std::runtime_error where gnuplot
/// does not know the terminal. A picture that is there stays.
inline void require_drawable(canvas const& on) {
    run_gnuplot("set terminal " + on.terminal, on.text);
    if (!on.path.empty()) require_writable(on.path);
}

} // namespace detail

/// Draw pages, one after another: `samples_page` or any commands of gnuplot's that plot. A picture file is replaced
/// when its picture is there: what fails before leaves it as it is.
///
/// Throws std::system_error where the file cannot be written or gnuplot is not there, std::runtime_error where it
/// fails.
inline void draw(canvas const& on, std::string_view pages) {
    if (on.path.empty()) return run_gnuplot(detail::script_for(on, pages), on.text);
    auto const picture = detail::drawn(on, pages); // before the file is emptied
    output_file{on.path}.write(picture);
}

} // namespace sonde
