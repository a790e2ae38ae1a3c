// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/show_command.hpp"

#include "tools/replay/show/profile.hpp"
#include "tools/replay/show/profile_html.hpp"
#include "tools/replay/show/profile_json.hpp"
#include "tools/replay/show/profile_text.hpp"
#include "tools/replay/waiting/loop_waiting.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <sonde/report/text.hpp>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::replay {

namespace {

constexpr tool_usage show_about{
    "sonde-replay", operands::any,
    "Usage: sonde-replay show [options] TRACE...\n"
    "TRACE: the file that libsonde-trace wrote, or the files of single ranks that a job left which did not end.\n"};

} // namespace

int show(int argc, char** argv) {
    std::string json, html;
    auto const line =
        read_options(show_about,
                     {{"json", "instead of the text: all numbers as a JSON object", suite::file_name(json)},
                      {"html", "instead of the text: a page with pictures of the matrices", suite::file_name(html)}},
                     {argv + 2, argv + argc});
    if (!line.answer.empty()) return print_text(line.answer);
    auto const& files = line.operands;
    if (files.empty()) throw std::runtime_error{"show takes files of libsonde-trace; see --help"};
    require_own_files(files, {json, html});
    auto const read = read_trace(files);
    auto const found = profile_of(read);
    auto const waiting = waiting_of(read);
    if (!json.empty()) sonde::output_file{json}.write(profile_json(read, found, waiting));
    if (!html.empty()) sonde::output_file{html}.write(profile_html(read, found, waiting));
    if (json.empty() && html.empty()) std::cout << profile_text(read, found, waiting);
    return 0;
}

} // namespace tools::replay
