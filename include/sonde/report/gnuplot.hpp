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

#if SONDE_DEFINITIONS
#include <algorithm>
#include <cerrno>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace sonde::inline v0_1 {

SONDE_INLINE std::string gnuplot_quoted(std::string_view text) {
    std::string quoted = "'";
    for (char const c : detail::plain_text(text)) quoted.append(c == '\'' ? 2 : 1, c);
    return quoted + '\'';
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::vector<std::string> wrapped(std::string_view text, std::size_t max) {
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        auto const blank = std::min(text.find(' '), text.size());
        auto const word = text.substr(0, text.find_first_not_of(' ', blank)); // with the blanks that follow it
        if (!lines.back().empty() && character_count(lines.back()) + character_count(word) > max) lines.emplace_back();
        lines.back() += word;
        text.remove_prefix(word.size());
    }
    return lines;
}

SONDE_INLINE std::string gnuplot_lines(std::string_view text, std::size_t max) {
    return joined(wrapped(text, max), ".\"\\n\".", gnuplot_quoted);
}

SONDE_INLINE unique_file temporary_file(std::string_view text) {
    unique_file file{std::tmpfile()};
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
        throw std::system_error{errno, std::generic_category(), "no scratch file for gnuplot"};
    std::rewind(file.get());
    return file;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE void run_gnuplot(std::string_view script, std::FILE* text, char const* program) {
    auto const input = detail::temporary_file(script);
    std::fflush(text);
    std::string name = program, defaults = "-d"; // ignore the user's .gnuplot
    std::string file = "/dev/stdin";             // by name: gnuplot reads an unnamed script byte by byte
    char* const arguments[] = {name.data(), defaults.data(), file.data(), nullptr};
    // In the locale C, which nodes often have, gnuplot warns at each script that it has no degree sign.
    std::string locale = "LC_ALL=C.UTF-8";
    std::vector<char*> variables{locale.data()};
    for (auto** variable = environ; *variable != nullptr; ++variable)
        if (!std::string_view{*variable}.starts_with("LC_ALL=")) variables.push_back(*variable);
    variables.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(input.get()), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(text), STDOUT_FILENO);
    pid_t process = 0;
    auto const error = posix_spawnp(&process, program, &files, nullptr, arguments, variables.data());
    posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        throw gnuplot_not_found{error, std::generic_category(),
                                "plots are drawn by gnuplot, and '" + name + "' cannot be started"};
    int status = 0;
    while (waitpid(process, &status, 0) == -1)
        if (errno != EINTR) return; // the application ignores SIGCHLD, which leaves no status
    if (status != 0) throw std::runtime_error{"gnuplot failed"};
}

SONDE_INLINE canvas canvas::tty(int columns, int rows, std::FILE* to) {
    return {"dumb mono noenhanced" + size(columns, rows), {}, to};
}

SONDE_INLINE canvas canvas::png(std::string file, int width, int height) {
    return {"pngcairo linewidth 2" + size(width, height) + font(height / 50 + 4), std::move(file)};
}

SONDE_INLINE canvas canvas::svg(std::string file, int width, int height) {
    return {svg_terminal + size(width, height) + font(height / 50 + 4), std::move(file)};
}

SONDE_INLINE canvas canvas::pdf(std::string file) {
    return {"pdfcairo linewidth 2 size 25cm,13cm" + font(12), std::move(file), stdout, true};
}

SONDE_INLINE canvas canvas::for_file(std::string file, int figures) {
    auto const height = 430 * figures + 110;
    if (file.ends_with(".svg")) return {svg_terminal + size(1024, height) + font(14), std::move(file)};
    if (file.ends_with(".png"))
        return {"pngcairo linewidth 3 pointscale 2" + size(2048, 2 * height) + font(25), std::move(file)};
    if (file.ends_with(".pdf")) return pdf(std::move(file));
    throw std::invalid_argument{"a picture's file ends in .svg, .png or .pdf: not '" + file + "'"};
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string gnuplot_script(canvas const& on, std::string_view pages) {
    return ("set encoding utf8\nset terminal " + on.terminal + '\n').append(pages);
}

/// gnuplot's SVG with "]]>", which XML does not allow in texts, as "]]&gt;": gnuplot escapes only < and &.
SONDE_INLINE std::string well_formed(std::string svg) {
    for (std::size_t at = 0; (at = svg.find("]]>", at)) != std::string::npos;) svg.replace(at + 2, 1, "&gt;");
    return svg;
}

SONDE_INLINE std::string picture(canvas const& on, std::string_view pages) {
    auto const file = temporary_file("");
    run_gnuplot(gnuplot_script(on, pages), file.get());
    std::rewind(file.get());
    std::string contents;
    char block[4096];
    while (auto const n = std::fread(block, 1, sizeof block, file.get())) contents.append(block, n);
    return on.terminal.starts_with("svg") ? well_formed(std::move(contents)) : contents;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE void draw(canvas const& on, std::string_view pages) {
    if (on.path.empty()) return run_gnuplot(detail::gnuplot_script(on, pages), on.text);
    auto const contents = detail::picture(on, pages); // before the file is truncated
    output_file{on.path}.write(contents);
}

} // namespace sonde

#endif
