// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/fit.hpp"
#include "tools/model/fit/fit_command.hpp"
#include "tools/model/fit/prediction.hpp"
#include "tools/model/measure/experiment.hpp"
#include "tools/model/measure/measure_command.hpp"
#include "tools/tool_options.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr char const* usage =
    "Usage: sonde-model COMMAND ...\n"
    "Models of the times of messages: measurement, fit, prediction.\n"
    "  measure   measures the times that a model is fitted to, on ranks of MPI\n"
    "  fit       fits a model to records of Sonde, or to tables of the OSU Micro-Benchmarks or the Intel MPI "
    "Benchmarks\n"
    "  predict   predicts times from a fit, or from parameters\n"
    "Each command has --help; sonde-model has --version. Exit status: 0; 1 if the data do not determine a parameter; 2 "
    "after an error, with one\n"
    "line that names it.\n";

int measure([[maybe_unused]] std::vector<std::string> const& words) {
#ifdef SONDE_MODEL_HAS_MPI
    return tools::model::measure_command(words);
#else
    throw std::runtime_error{"measure: this build has no MPI"};
#endif
}

int run(std::vector<std::string> const& words) {
    if (words.empty()) throw std::runtime_error{"takes measure, fit or predict; see --help"};
    std::vector<std::string> const rest{words.begin() + 1, words.end()};
    if (words[0] == "measure") return measure(rest);
    if (words[0] == "fit") return tools::model::fit_command(rest);
    if (words[0] == "predict") return tools::model::predict_command(rest);
    if (words[0] != "--help" && words[0] != "-h")
        throw std::runtime_error{"'" + words[0] + "' is none of measure, fit, predict; see --help"};
    std::fputs(usage, stdout);
    return 0;
}

} // namespace

int main(int argc, char** argv) { return tools::guarded("sonde-model", argc, argv, run); }
