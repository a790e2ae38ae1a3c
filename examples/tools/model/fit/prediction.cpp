// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/prediction.hpp"

#include "suite/values.hpp"
#include "tools/model/fit/fit.hpp"
#include "tools/model/output/model_json.hpp"
#include "tools/model/output/model_plot.hpp"
#include "tools/model/output/model_text.hpp"
#include "tools/records/units.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <stdexcept>

namespace tools::model {

namespace {

using sonde::model::latency_form;

/// The fit of a file, or a fit without parameters.
stored_fit initial_fit(predict_options const& o) {
    if (!o.file && !o.model)
        throw std::runtime_error{"predict takes --parameters FILE, or --model and --set; see --help"};
    stored_fit s{fit_result{o.model.value_or(model_kind::hockney)}, o.form.value_or(latency_form::time_line)};
    if (!o.file) return s;
    s = read_fit(*o.file, o.table);
    if (!s.fit.describes_data())
        throw std::runtime_error{*o.file +
                                 ": the model does not describe the data that it was fitted to; it predicts nothing"};
    if (o.model && *o.model != s.fit.kind)
        throw std::runtime_error{*o.file + ": is of the model " + name(s.fit.kind) + ", not of " + name(*o.model)};
    if (o.form && *o.form != s.form) throw std::runtime_error{*o.file + ": is of the other form of the model"};
    return s;
}

std::vector<std::size_t> sizes_of(predict_options const& o, fit_result const& f) {
    if (o.sizes) return read_sizes(*o.sizes, o.per_octave, 0);
    if (f.data.empty()) throw std::runtime_error{"predict takes --sizes A:B, or a list"};
    auto const text = [](sonde::model::bytes size) { return std::to_string(std::llround(size.count())); };
    return read_sizes(text(f.fit.from) + ':' + text(f.fit.to), o.per_octave, 0);
}

bool is_gamma(std::string const& setting) { return setting.starts_with("gamma="); }

/// Time to reduce a byte in a collective: not a parameter of the model.
sonde::seconds gamma_of(predict_options const& o) {
    double gamma = 0;
    for (auto const& text : o.settings)
        if (is_gamma(text)) gamma = read_quantity(text.substr(6), "s/B", "gamma");
    if (!(gamma >= 0)) throw std::runtime_error{"--set gamma: is below zero"};
    return sonde::seconds{gamma};
}

/// Throws std::runtime_error for an option of another model, and for values out of range.
void check(predict_options const& o, model_kind kind) {
    auto const refuse = [&](bool given, model_kind of, char const* option) {
        if (given && kind != of) throw std::runtime_error{std::string{option} + " is of the model " + name(of)};
    };
    refuse(o.pairs.has_value(), model_kind::max_rate, "--pairs");
    refuse(o.repetitions.has_value() || o.form.has_value(), model_kind::multi, o.form ? "--form" : "--repetitions");
    refuse(o.messages.has_value(), model_kind::log_gp, "--messages");
    refuse(o.collective.has_value() || o.processes.has_value(), model_kind::hockney,
           o.collective ? "--collective" : "--processes");
    if (o.per_octave < 1 || o.per_octave > 1000) throw std::runtime_error{"--per-octave takes a number from 1 to 1000"};
    if (o.collective.has_value() != o.processes.has_value())
        throw std::runtime_error{"--collective NAME and --processes P go together"};
    if (o.repetitions && !(*o.repetitions >= 1)) throw std::runtime_error{"--repetitions takes a number, 1 or more"};
}

std::vector<workload> workloads(predict_options const& o, fit_result const& f) {
    std::vector<workload> all;
    std::vector<double> const one{1};
    for (auto const pairs : o.pairs.value_or(one))
        for (auto const messages : o.messages.value_or(one))
            for (auto const size : sizes_of(o, f)) {
                auto const x = static_cast<double>(size);
                auto const n = sonde::model::imb_repetitions(sonde::model::bytes{std::max(x, 1.0)});
                all.push_back({x, pairs, o.repetitions.value_or(f.kind == model_kind::multi ? n : 1), messages});
            }
    return all;
}

using times = std::vector<sonde::seconds>;

/// Time of each workload, by the parameters of its segment. Other segments may lack parameters.
times times_of(predict_options const& o, stored_fit const& by, sonde::seconds gamma, std::vector<workload> const& at) {
    times all;
    for (auto const& load : at) {
        auto const model = model_of(by.fit, by.form, determined_segment(by.fit, load.bytes));
        all.push_back(o.collective ? collective_time(*o.collective, *o.processes, model, load.bytes, gamma)
                                   : time_of(model, load));
    }
    return all;
}

/// True if half of a parameter's value and twice the value give the same times.
bool has_no_effect(times const& expected, auto times_with_factor) {
    return times_with_factor(0.5) == expected && times_with_factor(2.0) == expected;
}

/// True if the parameter must be set, even if no time depends on it: the fit of the file does not determine it, and the
/// segment of the parameter contains a workload.
bool is_needed(parameter_setting const& s, fit_result const& initial, std::vector<workload> const& at) {
    auto const& all = initial.fit.parameters;
    auto const determined = std::any_of(all.begin(), all.end(), [&](auto const& p) {
        return p.name == s.name && p.segment == s.segment && p.status == regression::parameter_status::determined;
    });
    return !determined && std::any_of(at.begin(), at.end(),
                                      [&](auto const& load) { return initial.segment_of(load.bytes) == s.segment; });
}

/// Warnings about each --set that no time depends on.
std::vector<std::string> ineffective_settings(predict_options const& o, fit_result const& initial, stored_fit const& by,
                                              sonde::seconds gamma, std::vector<workload> const& at,
                                              times const& expected) {
    std::vector<std::string> lines;
    for (auto const& text : o.settings) {
        auto const ineffective = has_no_effect(expected, [&](double factor) {
            if (is_gamma(text)) return times_of(o, by, factor * gamma, at);
            auto setting = read_setting(text, by.fit);
            if (is_needed(setting, initial, at)) return times{};
            setting.value *= factor;
            auto changed = by;
            apply(setting, changed.fit);
            return times_of(o, changed, gamma, at);
        });
        if (ineffective) lines.push_back("--set " + text + ": changes nothing, no time asked for depends on it");
    }
    return lines;
}

} // namespace

prediction predict(predict_options const& o) {
    auto by = initial_fit(o);
    auto const initial = by.fit;
    check(o, by.fit.kind);
    auto const gamma = gamma_of(o);
    for (auto const& text : o.settings)
        if (!is_gamma(text)) apply(read_setting(text, by.fit), by.fit);
    prediction p{by.fit.kind, by.form, formula(by.fit.kind, by.form), o.collective, o.processes.value_or(0)};
    if (o.collective) p.formula = *o.collective + " of " + std::to_string(p.processes) + " processes: at least this";
    auto const at = workloads(o, by.fit);
    auto const all = times_of(o, by, gamma, at);
    for (std::size_t i = 0; i != at.size(); ++i) p.times.push_back({at[i], all[i]});
    if (o.file) p.warnings = extrapolation_warnings(by.fit, at);
    for (auto const& line : ineffective_settings(o, initial, by, gamma, at, all)) p.warnings.push_back(line);
    return p;
}

namespace {

namespace po = boost::program_options;

constexpr char const* predict_usage =
    "Usage: sonde-model predict (--parameters FILE | --model MODEL --set NAME=VALUE ...) --sizes A:B [options]\n"
    "Predicts times and bandwidths by a fit from fit --json, by parameters, or by a fit with some parameters "
    "replaced.\n"
    "Exit status: 0; 2 if nothing can be predicted because a parameter is missing or not determined by the data, or\n"
    "because the model does not describe the data.\n";

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
    known.add_options()("parameters,p", optional_value(o.file, "FILE"), "file of fit --json");
    known.add_options()("table", optional_value(o.table, "N"), "number of the table, if FILE has several fits");
    known.add_options()("model,m", converted_value(o.model, kind_of, "MODEL"), "hockney, multi, max-rate or loggp");
    known.add_options()("set", po::value(&o.settings)->value_name("NAME=VALUE"),
                        "value of a parameter: alpha=1.5us, R_N=12GB/s, C=512K, G=0.1ns/B, or in s, B, B/s, s/B; "
                        "alpha@2=1.5us for the second of several ranges of sizes");
    known.add_options()("form", converted_value(o.form, form_of, "FORM"),
                        "multi: form of the model, time-line or published");
    known.add_options()("sizes,s", optional_value(o.sizes, "SIZES"),
                        "message sizes in bytes, A:B and A:B:STEP, with commas between; K, M, G are units of 1024; by "
                        "default the range of the fit");
    known.add_options()("per-octave", po::value(&o.per_octave)->value_name("N")->default_value(4),
                        "sizes of A:B per doubling");
    known.add_options()("pairs", converted_value(o.pairs, list_of("--pairs"), "LIST"),
                        "max-rate: numbers of pairs that send at the same time, such as 1,2,4 (default 1)");
    known.add_options()("repetitions", optional_value(o.repetitions, "N"),
                        "multi: number of ping-pongs of each pair (default: repetitions of IMB)");
    known.add_options()("messages", converted_value(o.messages, list_of("--messages"), "LIST"),
                        "loggp: numbers of consecutive messages, such as 1,16 (default 1)");
    known.add_options()("collective", optional_value(o.collective, "NAME"),
                        "hockney: minimum time of a barrier, broadcast, allgather, alltoall or allreduce; --set "
                        "gamma=TIME/B is the time to reduce a byte");
    known.add_options()("processes", optional_value(o.processes, "P"), "number of processes of the collective");
    known.add_options()("json", po::bool_switch(&output.json), "print one JSON object");
    output.plot.add_to(known);
    return known;
}

int predict_times(predict_options const& o, output_options const& output) {
    auto const targets = output.plot.targets();
    if (output.json && std::find(targets.begin(), targets.end(), "-") != targets.end())
        throw std::runtime_error{
            "--json and a drawing on the terminal: both are for the output; --plot FILE draws to a file"};
    if (o.file) require_own_files({*o.file}, targets);
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
    std::cout << predict_usage << options_text(known);
    return 0;
}

} // namespace tools::model
