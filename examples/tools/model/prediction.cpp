// SPDX-License-Identifier: BSL-1.0
#include "prediction.hpp"

#include "../../common/numbers.hpp"
#include "beyond.hpp"
#include "collective.hpp"
#include "fit_json.hpp"
#include "parameters.hpp"
#include "quantity.hpp"

#include <sonde/json/json_lines.hpp>

#include <algorithm>
#include <stdexcept>

namespace tools::model {

namespace {

using sonde::model::latency_form;

void set(std::string const& text, fit_result& in) {
    auto const equals = text.find('=');
    if (equals == text.npos) throw std::runtime_error{"--set '" + text + "': takes NAME=VALUE"};
    auto const name = text.substr(0, equals);
    auto const unit = unit_of(in.which, name);
    auto const value = read_quantity(text.substr(equals + 1), unit, name);
    if (!(value > 0)) throw std::runtime_error{"--set '" + text + "': is not above zero"};
    auto const same = [&](auto const& p) { return p.name == name && p.segment == 0; };
    std::erase_if(in.parameters, same);
    in.parameters.push_back({name, unit, value, value, value});
}

/// The fit of a file, or one of nothing.
stored_fit start_of(wanted const& w) {
    if (!w.file && !w.model)
        throw std::runtime_error{"predict takes --parameters FILE, or --model and --set; see --help"};
    stored_fit s{{w.model.value_or(kind::hockney)}, w.form.value_or(latency_form::time_line)};
    if (!w.file) return s;
    s = read_fit(*w.file);
    if (w.model && *w.model != s.fit.which)
        throw std::runtime_error{*w.file + ": is of the model " + name(s.fit.which) + ", not of " + name(*w.model)};
    if (w.form && *w.form != s.form) throw std::runtime_error{*w.file + ": is of the other form of the model"};
    return s;
}

std::vector<double> doubling(double from, double to) {
    if (to < from) throw std::runtime_error{"--sizes: the last is below the first"};
    std::vector<double> all;
    for (auto x = from; x <= to; x = x == 0 ? 1 : 2 * x) all.push_back(x);
    return all;
}

std::vector<double> sizes_of(wanted const& w, fit_result const& f) {
    if (!w.sizes && f.points.empty()) throw std::runtime_error{"predict takes --sizes A:B, or a list"};
    if (!w.sizes) return doubling(f.from, f.to);
    auto const ends = common::split(*w.sizes, ':');
    if (ends.size() == 2) return doubling(read_size(ends[0]), read_size(ends[1]));
    std::vector<double> all;
    for (auto const& word : common::split(*w.sizes, ',')) all.push_back(read_size(word));
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<double> counts_of(std::optional<std::string> const& list, char const* option) {
    std::vector<double> all;
    for (auto const& word : common::split(list.value_or("1"), ',')) {
        auto const n = common::number<long>(word, 1, 1000000000);
        if (!n) throw std::runtime_error{std::string{option} + " '" + word + "': takes numbers, 1 or more"};
        all.push_back(static_cast<double>(*n));
    }
    return all;
}

bool is_gamma(std::string const& setting) { return setting.starts_with("gamma="); }

/// The time of a byte that a collective reduces: no parameter of a model of messages.
sonde::seconds take_gamma(wanted const& w) {
    double gamma = 0;
    for (auto const& text : w.settings)
        if (is_gamma(text)) gamma = read_quantity(text.substr(6), "s/B", "gamma");
    if (!(gamma >= 0)) throw std::runtime_error{"--set gamma: is below zero"};
    return sonde::seconds{gamma};
}

/// An option of another model says nothing, and is refused.
void refuse_others(wanted const& w, kind k) {
    auto const refuse = [&](bool has, kind of, char const* option) {
        if (has && k != of) throw std::runtime_error{std::string{option} + " is of the model " + name(of)};
    };
    refuse(w.pairs.has_value(), kind::max_rate, "--pairs");
    refuse(w.repetitions.has_value() || w.form.has_value(), kind::multi, w.form ? "--form" : "--repetitions");
    refuse(w.messages.has_value(), kind::log_gp, "--messages");
    refuse(w.collective.has_value() || w.processes.has_value(), kind::hockney, "--collective");
    if (w.collective.has_value() != w.processes.has_value())
        throw std::runtime_error{"--collective NAME and --processes P go together"};
    if (w.repetitions && !(*w.repetitions >= 1)) throw std::runtime_error{"--repetitions takes a number, 1 or more"};
}

std::vector<occasion> occasions(wanted const& w, fit_result const& f) {
    std::vector<occasion> all;
    for (auto const pairs : counts_of(w.pairs, "--pairs"))
        for (auto const messages : counts_of(w.messages, "--messages"))
            for (auto const x : sizes_of(w, f)) {
                auto const n = sonde::model::imb_repetitions(sonde::model::bytes{std::max(x, 1.0)});
                all.push_back({x, pairs, w.repetitions.value_or(f.which == kind::multi ? n : 1), messages});
            }
    return all;
}

} // namespace

prediction predict(wanted const& w) {
    auto start = start_of(w);
    auto& f = start.fit;
    refuse_others(w, f.which);
    auto const gamma = take_gamma(w);
    for (auto const& text : w.settings)
        if (!is_gamma(text)) set(text, f);
    auto const model = model_of(f.which, start.form, f.parameters, f.from);
    prediction made{f.which, start.form, formula(f.which, start.form)};
    auto const at = occasions(w, f);
    if (w.collective)
        made.formula = *w.collective + " of " + std::to_string(*w.processes) + " processes: at least this";
    for (auto const& o : at)
        made.times.push_back({o, w.collective ? collective_time(*w.collective, *w.processes, model, o.bytes, gamma)
                                              : time_of(model, o)});
    if (w.file) made.warnings = beyond(f, at);
    return made;
}

std::string prediction_json(prediction const& p) {
    sonde::json j = {{"type", "prediction"},
                     {"model", name(p.which)},
                     {"form", p.form == latency_form::published ? "published" : "time-line"},
                     {"formula", p.formula},
                     {"warnings", p.warnings},
                     {"table", sonde::json::array()}};
    for (auto const& [at, time] : p.times)
        j["table"].push_back({{"bytes", at.bytes},
                              {"pairs", at.pairs},
                              {"repetitions", at.repetitions},
                              {"messages", at.messages},
                              {"seconds", time.count()},
                              {"bytes_per_second", bandwidth(at, time, p.which)}});
    return sonde::detail::one_line(j);
}

} // namespace tools::model
