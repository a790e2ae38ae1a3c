// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/html/escape.hpp>
#include <sonde/report/html/script.hpp>
#include <sonde/report/html/style.hpp>
#include <sonde/version.hpp>

#include <ctime>
#include <string>

namespace sonde::detail {

/// The program's name without its folder; "Results" where no command line is known.
inline std::string html_title(std::string const& command_line) {
    auto const program = command_line.substr(0, command_line.find(' '));
    auto const name = program.substr(program.rfind('/') + 1);
    return name.empty() ? "Results" : name;
}

/// Nothing is loaded from anywhere, and no script runs but the page's own, should anything ever get past
/// `html_escaped`.
inline std::string html_policy() {
    return "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
           "script-src 'sha256-" +
           std::string{html_script_hash} + "'; base-uri 'none'; form-action 'none'\">\n";
}

/// A page up to what it is about.
inline std::string html_begin(std::string const& command_line) {
    auto const title = html_escaped(html_title(command_line));
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" + html_policy() +
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + title +
           "</title>\n<style>" + std::string{html_style} + "</style>\n</head>\n<body>\n<header>\n<h1>" + title +
           "</h1>\n</header>\n<main>\n";
}

inline std::string utc_now() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    char text[32]{};
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    return text;
}

inline std::string html_end() {
    return "</main>\n<footer>Written by Sonde " SONDE_VERSION ", " + utc_now() + "</footer>\n<script>" +
           std::string{html_script} + "</script>\n</body>\n</html>\n";
}

} // namespace sonde::detail
