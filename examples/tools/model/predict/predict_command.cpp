// SPDX-License-Identifier: BSL-1.0
#include "suite/values.hpp"
#include "tools/command_line.hpp"
#include "tools/model/commands.hpp"
#include "tools/model/output/output.hpp"
#include "tools/model/predict/prediction.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>

namespace tools::model {

namespace {

namespace po = boost::program_options;

constexpr char const* usage =
    "Usage: sonde-model predict (--parameters FILE | --model MODEL --set NAME=VALUE ...) --sizes A:B [options]\n"
    "Times and bandwidths by a model: of a fit's --json file, of parameters, or of a fit some of whose are set.\n"
    "Exit status: 0, 2 where nothing can be predicted: a parameter is missing, the data did not determine it,\n"
    "or the model did not describe them.\n";

/// Reads the value of `option` as a list of numbers.
auto list_of(std::string const& option) {
    return [option](std::string const& text) {
        std::vector<double> all;
        for (auto const& word : suite::split(text, ',')) {
            auto const n = suite::number<long>(word, 1, 1000000000);
            if (!n) throw std::runtime_error{option + " '" + word + "': takes numbers, 1 or more"};
            all.push_back(static_cast<double>(*n));
        }
        return all;
    };
}

/// Options of the output.
struct output_options {
    plot_options plot;
    bool json = false;
    bool help = false;
};

po::options_description described(predict_options& o, output_options& output) {
    po::options_description known{"Options"};
    known.add_options()("help,h", po::bool_switch(&output.help), "print this help");
    known.add_options()("parameters,p", optional_value(o.file, "FILE"), "a fit, as fit --json writes it");
    known.add_options()("table", optional_value(o.table, "N"), "of several fits in FILE, that of this table");
    known.add_options()("model,m", converted_value(o.model, kind_of, "MODEL"), "hockney, multi, max-rate or loggp");
    known.add_options()("set", po::value(&o.settings)->value_name("NAME=VALUE"),
                        "a parameter: alpha=1.5us, R_N=12GB/s, C=512K, G=0.1ns/B, or in s, B, B/s, s/B; of the second "
                        "of several ranges of sizes alpha@2=1.5us");
    known.add_options()("form", converted_value(o.form, form_of, "FORM"),
                        "of the multi-mode model: time-line or published");
    known.add_options()("sizes,s", optional_value(o.sizes, "SIZES"),
                        "in bytes: A:B, A:B:STEP or A,B,..; K, M, G are of 1024; of a fit, its range is the default");
    known.add_options()("per-octave", po::value(&o.per_octave)->value_name("N")->default_value(4),
                        "sizes of A:B per doubling");
    known.add_options()("pairs", converted_value(o.pairs, list_of("--pairs"), "LIST"),
                        "of max-rate: how many send at the same time, 1,2,4 (1)");
    known.add_options()("repetitions", optional_value(o.repetitions, "N"),
                        "of the multi-mode model: ping-pongs of each pair (as many as IMB would take)");
    known.add_options()("messages", converted_value(o.messages, list_of("--messages"), "LIST"),
                        "of loggp: how many follow each other, 1,16 (1)");
    known.add_options()("collective", optional_value(o.collective, "NAME"),
                        "of hockney: what a barrier, broadcast, allgather, alltoall or allreduce takes at least; --set "
                        "gamma=TIME/B for what is reduced");
    known.add_options()("processes", optional_value(o.processes, "P"), "of the collective");
    known.add_options()("json", po::bool_switch(&output.json), "print one JSON object");
    output.plot.add_to(known);
    return known;
}

int predict_times(predict_options const& o, output_options const& output) {
    auto const targets = output.plot.targets();
    if (output.json && std::find(targets.begin(), targets.end(), "-") != targets.end())
        throw std::runtime_error{
            "--json and a drawing on the terminal: both are for the output; --plot FILE draws to a file"};
    if (o.file) refuse_overwriting({*o.file}, targets);
    auto const result = predict(o);
    print(result.warnings, "sonde-model: ", stderr);
    print(output.json ? std::vector{prediction_json(result)} : prediction_text(result));
    flush_output();
    for (auto const& target : targets) draw(figure_of(result), target);
    return 0;
}

} // namespace

int predict_command(std::vector<std::string> const& words) {
    predict_options o;
    output_options output;
    auto const known = described(o, output);
    read_options(words, known);
    if (!output.help) return predict_times(o, output);
    std::cout << usage << known;
    return 0;
}

} // namespace tools::model
