// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/commands.hpp"

#include "tools/replay/show/profile.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <sonde/report/text.hpp>

#include <iostream>
#include <stdexcept>

namespace tools::replay {

namespace {

namespace po = boost::program_options;

constexpr char const* usage =
    "Usage: sonde-replay show [options] TRACE...\n"
    "TRACE: the file that libsonde-trace wrote, or the files of single ranks that a job left which did not end.\n";

} // namespace

int show(std::vector<std::string> const& words) {
    std::vector<std::string> files;
    std::string json, html;
    bool help = false;
    po::options_description known{"Options"}, all;
    auto add = known.add_options();
    add("json,o", po::value(&json)->value_name("FILE"), "write all numbers as a JSON object, instead of the text");
    add("html", po::value(&html)->value_name("FILE"),
        "write a page with pictures of the matrices, instead of the text");
    describe_help(known, help);
    all.add(known).add_options()("file", po::value(&files));
    read_options(words, all, po::positional_options_description{}.add("file", -1));
    if (help) {
        std::cout << usage << options_text(known);
        return 0;
    }
    if (files.empty()) throw std::runtime_error{"show takes files of libsonde-trace; see --help"};
    auto const read = read_trace(files);
    auto const found = profile_of(read);
    if (!json.empty()) sonde::output_file{json}.write(profile_json(read, found));
    if (!html.empty()) sonde::output_file{html}.write(profile_html(read, found));
    if (json.empty() && html.empty()) std::cout << profile_text(read, found);
    return 0;
}

} // namespace tools::replay
