// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html_document.hpp>

#include <ctime>

namespace sonde::inline v0_1::detail {

std::string html_escaped(std::string_view text) {
    std::string safe;
    for (char const c : as_utf8(text)) {
        if (c == '&') safe += "&amp;";
        else if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '"') safe += "&quot;";
        else if (c == '\'') safe += "&#39;";
        else safe += c;
    }
    return safe;
}

std::string html_definitions(std::string const& heading, std::vector<std::pair<std::string, std::string>> const& all) {
    std::string list;
    for (auto const& [term, definition] : all)
        if (!definition.empty()) list += "<dt>" + term + "</dt><dd>" + definition + "</dd>\n";
    return list.empty() ? list : "<section>\n<h2>" + heading + "</h2>\n<dl>\n" + list + "</dl>\n</section>\n";
}

std::string html_begin(std::string_view command_line) {
    auto const program = command_line.substr(0, command_line.find(' '));
    auto const name = program.substr(program.rfind('/') + 1);
    auto const title = name.empty() ? "Results" : html_escaped(name);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
           "script-src 'sha256-" +
           std::string{html_script_hash} +
           "'; base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           title + "</title>\n<style>" + std::string{html_style} + "</style>\n</head>\n<body>\n<header>\n<h1>" + title +
           "</h1>\n</header>\n<main>\n";
}

std::string html_end() {
    auto const now = std::time(nullptr);
    std::tm utc{};
    char text[32]{};
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    return std::string{"</main>\n<footer>Written by Sonde " SONDE_VERSION ", "} + text + "</footer>\n<script>" +
           std::string{html_script} + "</script>\n</body>\n</html>\n";
}

} // namespace sonde::detail
