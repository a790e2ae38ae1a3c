// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/gnuplot.hpp>

#include <algorithm>
#include <cerrno>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace sonde::inline v0_1 {

std::string gnuplot_quoted(std::string_view text) {
    std::string quoted = "'";
    for (char const c : detail::plain_text(text)) quoted.append(c == '\'' ? 2 : 1, c);
    return quoted + '\'';
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

std::vector<std::string> wrapped(std::string_view text, std::size_t max) {
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

std::string gnuplot_lines(std::string_view text, std::size_t max) {
    return joined(wrapped(text, max), ".\"\\n\".", gnuplot_quoted);
}

unique_file temporary_file(std::string_view text) {
    unique_file file{std::tmpfile()};
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
        throw std::system_error{errno, std::generic_category(), "no scratch file for gnuplot"};
    std::rewind(file.get());
    return file;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

void run_gnuplot(std::string_view script, std::FILE* text, char const* program) {
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

canvas canvas::tty(int columns, int rows, std::FILE* to) {
    return {"dumb mono noenhanced" + size(columns, rows), {}, to};
}

canvas canvas::png(std::string file, int width, int height) {
    return {"pngcairo linewidth 2" + size(width, height) + font(height / 50 + 4), std::move(file)};
}

canvas canvas::svg(std::string file, int width, int height) {
    return {svg_terminal + size(width, height) + font(height / 50 + 4), std::move(file)};
}

canvas canvas::pdf(std::string file) {
    return {"pdfcairo linewidth 2 size 25cm,13cm" + font(12), std::move(file), stdout, true};
}

canvas canvas::for_file(std::string file, int figures) {
    auto const height = 430 * figures + 110;
    if (file.ends_with(".svg")) return {svg_terminal + size(1024, height) + font(14), std::move(file)};
    if (file.ends_with(".png"))
        return {"pngcairo linewidth 3 pointscale 2" + size(2048, 2 * height) + font(25), std::move(file)};
    if (file.ends_with(".pdf")) return pdf(std::move(file));
    throw std::invalid_argument{"a picture's file ends in .svg, .png or .pdf: not '" + file + "'"};
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

std::string gnuplot_script(canvas const& on, std::string_view pages) {
    return ("set encoding utf8\nset terminal " + on.terminal + '\n').append(pages);
}

/// gnuplot's SVG with "]]>", which XML does not allow in texts, as "]]&gt;": gnuplot escapes only < and &.
std::string well_formed(std::string svg) {
    for (std::size_t at = 0; (at = svg.find("]]>", at)) != std::string::npos;) svg.replace(at + 2, 1, "&gt;");
    return svg;
}

std::string picture(canvas const& on, std::string_view pages) {
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

void draw(canvas const& on, std::string_view pages) {
    if (on.path.empty()) return run_gnuplot(detail::gnuplot_script(on, pages), on.text);
    auto const contents = detail::picture(on, pages); // before the file is truncated
    output_file{on.path}.write(contents);
}

} // namespace sonde
