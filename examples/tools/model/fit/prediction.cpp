// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/prediction.hpp"

#include "tools/model/fit/fit.hpp"
#include "tools/model/output/model_json.hpp"
#include "tools/model/output/model_plot.hpp"
#include "tools/model/output/model_text.hpp"
#include "tools/records/units.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
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
    refuse(!o.pairs.empty(), model_kind::max_rate, "--pairs");
    refuse(o.repetitions.has_value() || o.form.has_value(), model_kind::multi, o.form ? "--form" : "--repetitions");
    refuse(!o.messages.empty(), model_kind::log_gp, "--messages");
    refuse(o.collective.has_value() || o.processes.has_value(), model_kind::hockney,
           o.collective ? "--collective" : "--processes");
    if (o.collective.has_value() != o.processes.has_value())
        throw std::runtime_error{"--collective NAME and --processes P go together"};
}

std::vector<workload> workloads(predict_options const& o, fit_result const& f) {
    std::vector<workload> all;
    std::vector<long> const one{1};
    for (auto const pairs : o.pairs.empty() ? one : o.pairs)
        for (auto const messages : o.messages.empty() ? one : o.messages)
            for (auto const size : sizes_of(o, f)) {
                auto const x = static_cast<double>(size);
                auto const n = sonde::model::imb_repetitions(sonde::model::bytes{std::max(x, 1.0)});
                all.push_back({x, static_cast<double>(pairs),
                               o.repetitions.value_or(f.kind == model_kind::multi ? n : 1),
                               static_cast<double>(messages)});
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

constexpr tool_usage predict_about{
    "sonde-model", operands::none,
    "Usage: sonde-model predict (--parameters FILE | --model MODEL --set NAME=VALUE ...) --sizes A:B [options]\n"
    "Predicts times and bandwidths by a fit from fit --json, by parameters, or by a fit with some parameters "
    "replaced.\n"
    "Exit status: 0; 2 if nothing can be predicted because a parameter is missing or not determined by the data, or\n"
    "because the model does not describe the data.\n"};

/// Numbers of pairs or of messages.
suite::option_value counts(std::vector<long>& into) {
    auto const one = [](long& count) { return suite::whole(count, 1, 1'000'000'000); };
    return suite::accepting("numbers with commas between, each {accepted}",
                            suite::list_of(into, suite::repeated::replaces, one));
}

/// Options of the output.
struct output_options {
    plot_options plot{};
    bool json = false;
};

/// Options of the workload whose time is predicted.
std::vector<suite::option_row> rows_of(predict_options& o) {
    using namespace suite;
    auto const add = [](std::vector<std::string>& into, std::string const& setting) {
        into.push_back(setting);
        return !setting.empty();
    };
    return {
        {"parameters,p", "file of fit --json", file_name(o.file)},
        {"table", "number of the table, if FILE has several fits", whole(o.table, 1, 1'000'000'000)},
        {"model,m MODEL", "{words}", one_of(o.model, model_choices())},
        {"set NAME=VALUE",
         "value of a parameter: alpha=1.5us, R_N=12GB/s, C=512K, G=0.1ns/B, or in s, B, B/s, s/B; alpha@2=1.5us for "
         "the second of several ranges of sizes",
         repeating(set_by(o.settings, add, "NAME=VALUE"))},
        {"form FORM", "multi: form of the model, {words}", one_of(o.form, form_choices())},
        {"sizes,s SIZES",
         "message sizes in bytes, A:B and A:B:STEP, with commas between; K, M, G are units of 1024; by default the "
         "range of the fit",
         text(o.sizes, "sizes")},
        {"per-octave", "sizes of A:B per doubling", whole(o.per_octave, 1, 1000)},
        {"pairs LIST", "max-rate: numbers of pairs that send at the same time, such as 1,2,4 (default 1)",
         counts(o.pairs)},
        {"repetitions", "multi: number of ping-pongs of each pair (default: repetitions of IMB)",
         real(o.repetitions, "a number", "1", "1e9")},
        {"messages LIST", "loggp: numbers of consecutive messages, such as 1,16 (default 1)", counts(o.messages)},
        {"collective NAME",
         "hockney: minimum time of a barrier, broadcast, allgather, alltoall or allreduce; --set gamma=TIME/B is the "
         "time to reduce a byte",
         text(o.collective, "a collective")},
        {"processes P", "number of processes of the collective", whole(o.processes, 1, INT_MAX)}};
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

int predict_command(int argc, char** argv) {
    predict_options o;
    output_options output;
    auto rows = rows_of(o);
    rows.emplace_back("json", "print one JSON object", suite::flag(output.json));
    output.plot.add_to(rows);
    auto const line = read_options(predict_about, rows, {argv + 2, argv + argc});
    return line.answer.empty() ? predict_times(o, output) : print_text(line.answer);
}

} // namespace tools::model
