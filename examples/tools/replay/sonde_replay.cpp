// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/show_command.hpp"

#include "tools/tool_options.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr char const* usage =
    "Usage: sonde-replay show [options] TRACE...\n"
    "Shows what a trace of libsonde-trace has: a profile by call site and phase, the matrix of messages, and their "
    "sizes, as text, JSON or a page.\n"
    "Exit status: 0; 2 if a file cannot be read or written.\n\n"
    "sonde-replay show --help describes the options.\n";

int run(std::vector<std::string> const& words) {
    if (words.empty() || words.front() == "--help" || words.front() == "-h") {
        std::fputs(usage, words.empty() ? stderr : stdout);
        return words.empty() ? 2 : 0;
    }
    if (words.front() == "show") return tools::replay::show({words.begin() + 1, words.end()});
    throw std::invalid_argument{"'" + words.front() + "' is no command; see --help"};
}

} // namespace

int main(int argc, char** argv) { return tools::guarded("sonde-replay", argc, argv, run); }
