// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/assess_command.hpp"
#include "tools/replay/run/run_command.hpp"
#include "tools/replay/show/show_command.hpp"
#include "tools/tool_options.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr char const* usage =
    "Usage: sonde-replay COMMAND ...\n"
    "Traces of applications, recorded by libsonde-trace: what they have, and their messages sent again.\n"
    "  show      a profile by call site and phase, the matrix of messages, and their sizes, as text, JSON or a page\n"
    "  run       measures every phase as a pattern, on ranks of MPI, with the time between calls or without\n"
    "  assess    compares every call site with a bound by a model and with other ways to send the same data, on ranks "
    "of\n"
    "            MPI; names the three sites where most can be won\n"
    "Each command has --help; sonde-replay has --version. Exit status: 0; 1 if run or assess refuses a trace or an\n"
    "option; 2 if show cannot read or write a file.\n";

int run(std::vector<std::string> const& words) {
    if (words.empty() || words.front() == "--help" || words.front() == "-h") {
        std::fputs(usage, words.empty() ? stderr : stdout);
        return words.empty() ? 2 : 0;
    }
    if (words.front() == "show") return tools::replay::show({words.begin() + 1, words.end()});
    throw std::invalid_argument{"'" + words.front() + "' is no command; see --help"};
}

} // namespace

int main(int argc, char** argv) {
    std::string_view const command = argc > 1 ? argv[1] : "";
    if (command == "run" || command == "assess") {
#ifdef SONDE_REPLAY_HAS_MPI
        return command == "run" ? tools::replay::run(argc, argv) : tools::replay::assess(argc, argv);
#else
        std::fprintf(stderr, "sonde-replay: this build has no MPI, which %s needs\n", argv[1]);
        return 2;
#endif
    }
    return tools::guarded("sonde-replay", argc, argv, run);
}
