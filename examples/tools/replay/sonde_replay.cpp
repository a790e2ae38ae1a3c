// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/assess_command.hpp"
#include "tools/replay/hang/hang_command.hpp"
#include "tools/replay/run/run_command.hpp"
#include "tools/replay/show/show_command.hpp"
#include "tools/tool_options.hpp"

namespace {

constexpr tools::tool_usage about{
    "sonde-replay", tools::operands::none,
    "Usage: sonde-replay COMMAND ...\n"
    "Traces of applications, recorded by libsonde-trace: what they have, and their messages sent again.\n"};

#ifdef SONDE_REPLAY_HAS_MPI
using tools::replay::assess, tools::replay::run;
#else
constexpr auto assess = tools::without_mpi, run = tools::without_mpi;
#endif

} // namespace

int main(int argc, char** argv) {
    return tools::guarded(about.tool, [&] {
        return tools::run_command(
            about,
            {{"show",
              "a profile by call site and phase, the matrix of messages, and their sizes, as text, JSON or a page",
              tools::replay::show},
             {"run", "measures every phase as a pattern, on ranks of MPI, with the time between calls or without", run},
             {"assess",
              "compares every call site with a bound by a model and with other ways to send the same data, on ranks of "
              "MPI; names the three sites where most can be won",
              assess},
             {"hang",
              "says where the ranks of a running job are that do not go on, and why: without a trace, and without "
              "their "
              "help",
              tools::replay::hang}},
            "Each command has --help. Exit status: 0; 1 if run or assess refuses a trace or an option, or if hang "
            "finds "
            "a rank that\nstands still; 2 if show or hang cannot read or write a file.\n",
            argc, argv);
    });
}
