// SPDX-License-Identifier: BSL-1.0
#include "advice.hpp"

#include "differences.hpp"

#include <sonde/environment.hpp>

namespace tools {

namespace {

/// Only what `sonde-launch` noted is a command that can be run: a program's own words lack its launcher.
std::string command_again(side const& s) {
    for (auto const& run : s.runs)
        if (run.launch) return run.launch->command;
    return "COMMAND";
}

std::string launch_again(side const& s) {
    return "  sonde-launch -n " + std::to_string(2 * s.runs.size()) + " --append --out " +
           sonde::detail::shell_word(s.path) + " -- " + command_again(s);
}

} // namespace

std::vector<std::string> advice(side const& before, side const& after) {
    auto const same = command_again(before) == command_again(after);
    return {"Before you believe it, measure both sides again, twice as often, and judge those rows by all launches:",
            launch_again(before) + (same ? "   # with what was installed for the old side" : ""),
            launch_again(after) + (same ? "   # with what was installed for the new side" : ""),
            "  sonde-compare " + sonde::detail::shell_word(before.path) + ' ' + sonde::detail::shell_word(after.path)};
}

} // namespace tools
