// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"

#include "../command_line.hpp"
#include "fit_json.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "prediction.hpp"
#include "time_table.hpp"

#include <sonde/json/json_lines.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace tools::model {

namespace {

namespace po = boost::program_options;

constexpr char const* usage =
    "Usage: sonde-model predict (--parameters FILE | --model MODEL --set NAME=VALUE ...) --sizes A:B [options]\n"
    "Times and bandwidths by a model: of a fit's --json file, of parameters, or of a fit some of whose are set.\n"
    "Exit status: 0, 2 where nothing can be predicted: a parameter is missing, the data did not determine it,\n"
    "or the model did not describe them.\n";

po::options_description described() {
    po::options_description known{"Options"};
    known.add_options()("help,h", "print this help")("parameters,p", po::value<std::string>()->value_name("FILE"),
                                                     "a fit, as fit --json writes it")(
        "model,m", po::value<std::string>()->value_name("MODEL"), "hockney, multi, max-rate or loggp")(
        "set", po::value<std::vector<std::string>>()->value_name("NAME=VALUE"),
        "a parameter: alpha=1.5us, R_N=12GB/s, C=512K, G=0.1ns/B, or in s, B, B/s, s/B; of the second of several "
        "ranges "
        "of sizes alpha@2=1.5us")("form", po::value<std::string>()->value_name("FORM"),
                                  "of the multi-mode model: time-line or published")(
        "sizes,s", po::value<std::string>()->value_name("SIZES"),
        "in bytes: A:B, A:B:STEP or A,B,..; K, M, G are of 1024; of a fit, its range is the default")(
        "per-octave", po::value<std::size_t>()->value_name("N")->default_value(4),
        "sizes of A:B per doubling")("pairs", po::value<std::string>()->value_name("LIST"),
                                     "of max-rate: how many send at the same time, 1,2,4 (1)")(
        "repetitions", po::value<double>()->value_name("N"),
        "of the multi-mode model: ping-pongs of each pair (as many as IMB would take)")(
        "messages", po::value<std::string>()->value_name("LIST"), "of loggp: how many follow each other, 1,16 (1)")(
        "collective", po::value<std::string>()->value_name("NAME"),
        "of hockney: what a barrier, broadcast, allgather, alltoall or allreduce takes at least; --set gamma=TIME/B "
        "for "
        "what is reduced")("processes", po::value<int>()->value_name("P"),
                           "of the collective")("json", "print one JSON object")(
        "plot", po::value<std::string>()->value_name("FILE"),
        "draw it: to a file .svg, .png or .pdf, or for - on the terminal")("terminal", "draw it on the terminal");
    return known;
}

template <class T>
std::optional<T> given(po::variables_map const& found, char const* option) {
    return found.count(option) == 0 ? std::nullopt : std::optional{found[option].as<T>()};
}

wanted wanted_of(po::variables_map const& found) {
    wanted w;
    w.file = given<std::string>(found, "parameters");
    if (auto const model = given<std::string>(found, "model")) w.model = kind_of(*model);
    if (auto const form = given<std::string>(found, "form")) w.form = form_of(*form);
    w.settings = given<std::vector<std::string>>(found, "set").value_or(std::vector<std::string>{});
    w.sizes = given<std::string>(found, "sizes");
    w.per_octave = found["per-octave"].as<std::size_t>();
    if (w.per_octave < 1 || w.per_octave > 1000) throw std::runtime_error{"--per-octave takes a number from 1 to 1000"};
    w.pairs = given<std::string>(found, "pairs");
    w.repetitions = given<double>(found, "repetitions");
    w.collective = given<std::string>(found, "collective");
    w.processes = given<int>(found, "processes");
    w.messages = given<std::string>(found, "messages");
    return w;
}

void say(prediction const& p) {
    std::printf("# model %s: %s\n", name(p.which).c_str(), p.formula.c_str());
    for (auto const& line : prediction_table(p.which, p.times)) std::printf("%s\n", line.c_str());
}

///     {"type": "prediction", "model", "formula", "warnings": [..], "table": [{"bytes", "pairs", "repetitions",
///      "messages", "seconds", "bytes_per_second"}]}
///
/// with "form" of the model multi, "collective" and "processes" of a collective.
std::string json_of(prediction const& p) {
    sonde::json j = {{"type", "prediction"},
                     {"model", name(p.which)},
                     {"formula", p.formula},
                     {"warnings", p.warnings},
                     {"table", sonde::json::array()}};
    if (p.which == kind::multi) j["form"] = name(p.form);
    if (p.collective) j.update({{"collective", *p.collective}, {"processes", p.processes}});
    for (auto const& o : p.times)
        j["table"].push_back({{"bytes", o.at.bytes},
                              {"pairs", o.at.pairs},
                              {"repetitions", o.at.repetitions},
                              {"messages", o.at.messages},
                              {"seconds", number(o.measured.count())},
                              {"bytes_per_second", number(bandwidth(o.at, o.measured, p.which))}});
    return sonde::detail::json_line(j);
}

int predict_and_say(po::variables_map const& found) {
    auto const targets = plots_of(found);
    auto const json = found.count("json") != 0;
    if (json && std::find(targets.begin(), targets.end(), "-") != targets.end())
        throw std::runtime_error{
            "--json and a drawing on the terminal: both are for the output; --plot FILE draws to a file"};
    if (auto const file = given<std::string>(found, "parameters")) keep_inputs({*file}, targets);
    auto const made = predict(wanted_of(found));
    for (auto const& line : made.warnings) std::fprintf(stderr, "sonde-model: %s\n", line.c_str());
    if (json) std::printf("%s\n", json_of(made).c_str());
    else say(made);
    flush_output();
    for (auto const& target : targets) draw(figure_of(made.which, made.times), target);
    return 0;
}

} // namespace

int predict_command(std::vector<std::string> const& words) {
    auto const known = described();
    auto const found = read_options(words, known);
    if (found.count("help") == 0) return predict_and_say(found);
    std::cout << usage << known;
    return 0;
}

} // namespace tools::model
