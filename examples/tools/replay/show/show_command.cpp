// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/show_command.hpp"

#include "tools/replay/show/profile.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

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
    bool help = false;
    po::options_description known{"Options"}, all;
    describe_help(known, help);
    all.add(known).add_options()("file", po::value(&files));
    read_options(words, all, po::positional_options_description{}.add("file", -1));
    if (help) {
        std::cout << usage << options_text(known);
        return 0;
    }
    if (files.empty()) throw std::runtime_error{"show takes files of libsonde-trace; see --help"};
    auto const read = read_trace(files);
    std::cout << profile_text(read, profile_of(read));
    return 0;
}

} // namespace tools::replay
