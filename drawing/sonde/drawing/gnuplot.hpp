// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/text.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

extern "C" char** environ; // POSIX leaves the declaration to programs. NOLINT(readability-redundant-declaration)

namespace sonde::inline v0_1 {

/// gnuplot cannot be started.
struct gnuplot_not_found : std::system_error {
    using std::system_error::system_error;
};

/// The text as a single-quoted string of gnuplot, in which only the quote is special; control characters become blanks,
/// and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string gnuplot_quoted(std::string_view text);

namespace detail {

/// The text in lines of at most `max` characters, broken between words; a longer word is a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t max);

/// The wrapped text as a string of gnuplot, which truncates a line that is too long for the picture.
std::string gnuplot_lines(std::string_view text, std::size_t max);

/// A file without a name that contains the text and is to be read from its start.
unique_file temporary_file(std::string_view text);

} // namespace detail

/// Run a gnuplot script and wait for its end, so that nothing is drawn while the next point is measured.
///
/// The script is passed in a nameless file, not in a pipe, so that SIGPIPE cannot end the application. The output of
/// gnuplot goes to `text`, which needs a file descriptor. Throws gnuplot_not_found if gnuplot cannot be started,
/// std::runtime_error if it fails; its messages are on stderr.
void run_gnuplot(std::string_view script, std::FILE* text = stdout, char const* program = "gnuplot");

/// The output of a drawing: a picture file or a terminal of characters.
struct canvas {
    std::string terminal;     // gnuplot's `set terminal`
    std::string path{};       // of the picture file; empty: characters, written to `text`
    std::FILE* text = stdout; // needs a file descriptor
    bool multi_page = false;  // one file for many pages

    /// Characters on a terminal.
    static canvas tty(int columns = 120, int rows = 40, std::FILE* to = stdout);
    /// A picture of pixels.
    static canvas png(std::string file, int width = 2048, int height = 1080);
    /// A picture of lines.
    static canvas svg(std::string file, int width = 1024, int height = 540);
    /// A document, with a page for each figure.
    static canvas pdf(std::string file);
    /// A picture in the format of the file's suffix, high enough for `figures` below one another. Throws
    /// std::invalid_argument if the suffix is not .svg, .png or .pdf.
    static canvas for_file(std::string file, int figures = 1);

private:
    static constexpr char const* svg_terminal = "svg background 'white' linewidth 1.5";
    static std::string size(int x, int y) { return " size " + std::to_string(x) + ',' + std::to_string(y); }
    static std::string font(int points) { return " noenhanced font 'sans," + std::to_string(points) + "'"; }
};

namespace detail {

/// The contents of the picture file; drawn into a nameless file, so that nothing is left on the disk.
std::string picture(canvas const& on, std::string_view pages);

} // namespace detail

/// Draw pages, one after another: `figure_page`, `samples_page`, `violin_page` or any commands of gnuplot that plot. A
/// picture file is replaced when the picture is complete: if drawing fails, the file keeps its contents.
///
/// Throws std::system_error if the file cannot be written or gnuplot cannot be started, std::runtime_error if gnuplot
/// fails.
void draw(canvas const& on, std::string_view pages);

} // namespace sonde
