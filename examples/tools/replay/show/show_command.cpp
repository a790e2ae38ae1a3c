// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/show_command.hpp"

#include "tools/replay/show/profile.hpp"
#include "tools/replay/show/profile_html.hpp"
#include "tools/replay/show/profile_json.hpp"
#include "tools/replay/show/profile_text.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <sonde/report/text.hpp>

#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::replay {

namespace {

namespace po = boost::program_options;

constexpr char const* usage =
    "Usage: sonde-replay show [options] TRACE...\n"
    "TRACE: the file that libsonde-trace wrote, or the files of single ranks that a job left which did not end.\n";

} // namespace

int show(std::vector<std::string> const& words) {
    std::vector<std::string> files;
    std::optional<std::string> json, html;
    bool help = false;
    po::options_description known{"Options"}, all;
    auto add = known.add_options();
    add("json", optional_value(json, "FILE"), "instead of the text: all numbers as a JSON object");
    add("html", optional_value(html, "FILE"), "instead of the text: a page with pictures of the matrices");
    describe_help(known, help);
    all.add(known).add_options()("file", po::value(&files));
    read_options(words, all, po::positional_options_description{}.add("file", -1));
    if (help) {
        std::cout << usage << options_text(known);
        return 0;
    }
    if (files.empty()) throw std::runtime_error{"show takes files of libsonde-trace; see --help"};
    require_own_files(files, {json.value_or(""), html.value_or("")});
    auto const read = read_trace(files);
    auto const found = profile_of(read);
    if (json) sonde::output_file{*json}.write(profile_json(read, found));
    if (html) sonde::output_file{*html}.write(profile_html(read, found));
    if (!json && !html) std::cout << profile_text(read, found);
    return 0;
}

} // namespace tools::replay
