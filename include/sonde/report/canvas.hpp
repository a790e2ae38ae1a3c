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

/// Draw pages, one after another: `samples_page` or any commands of gnuplot's that plot. A picture file is replaced.
///
/// Throws std::system_error where the file cannot be written or gnuplot is not there.
inline void draw(canvas const& on, std::string_view pages) {
    auto script = "set encoding utf8\nset terminal " + on.terminal + '\n';
    if (!on.path.empty()) {
        output_file{on.path}; // for a clear error: gnuplot says neither which file nor why
        script += "set output " + gnuplot_quoted(on.path) + '\n';
    }
    run_gnuplot(script += pages, on.text);
}

} // namespace sonde
