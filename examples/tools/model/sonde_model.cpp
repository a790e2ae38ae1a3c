// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/fit_command.hpp"
#include "tools/model/fit/prediction.hpp"
#include "tools/model/measure/measure_command.hpp"
#include "tools/tool_options.hpp"

namespace {

constexpr tools::tool_usage about{"sonde-model", tools::operands::none,
                                  "Usage: sonde-model COMMAND ...\n"
                                  "Models of the times of messages: measurement, fit, prediction.\n"};

#ifdef SONDE_MODEL_HAS_MPI
constexpr auto measure = tools::model::measure_command;
#else
constexpr auto measure = tools::without_mpi;
#endif

} // namespace

int main(int argc, char** argv) {
    return tools::guarded(about.tool, [&] {
        return tools::run_command(
            about,
            {{"measure", "measures the times that a model is fitted to, on ranks of MPI", measure},
             {"fit",
              "fits a model to records of Sonde, or to tables of the OSU Micro-Benchmarks or the Intel MPI Benchmarks",
              tools::model::fit_command},
             {"predict", "predicts times from a fit, or from parameters", tools::model::predict_command}},
            "Each command has --help. Exit status: 0; 1 if the data do not determine a parameter; 2 after an error, "
            "with one\nline that names it.\n",
            argc, argv);
    });
}
