// SPDX-License-Identifier: BSL-1.0
#include "tools/command_line.hpp"
#include "tools/model/commands.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr char const* usage =
    "Usage: sonde-model COMMAND ...\n"
    "Models of how long messages take: measured, fitted, and what they predict.\n"
    "  measure   on ranks of MPI, what a model is fitted to\n"
    "  fit       a model to records of Sonde, or tables of the OSU Micro-Benchmarks or the Intel MPI Benchmarks\n"
    "  predict   times from a fit, or from parameters\n"
    "Each has its own --help. Exit status: 0, 1 where the data do not determine a parameter, 2 where something could "
    "not be\ndone or written, which a line says.\n";

int run(std::vector<std::string> const& words) {
    if (words.empty()) throw std::runtime_error{"takes measure, fit or predict; see --help"};
    std::vector<std::string> const rest{words.begin() + 1, words.end()};
    if (words[0] == "measure") return tools::model::measure_command(rest);
    if (words[0] == "fit") return tools::model::fit_command(rest);
    if (words[0] == "predict") return tools::model::predict_command(rest);
    if (words[0] != "--help" && words[0] != "-h")
        throw std::runtime_error{"'" + words[0] + "' is none of measure, fit, predict; see --help"};
    std::fputs(usage, stdout);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    return tools::guarded("sonde-model", [&] {
        auto const status = run({argv + 1, argv + argc});
        tools::flush_output();
        return status;
    });
}
