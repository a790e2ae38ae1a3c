// SPDX-License-Identifier: BSL-1.0
#include "prediction.hpp"

#include "../../common/numbers.hpp"
#include "beyond.hpp"
#include "fit_json.hpp"
#include "parameters.hpp"
#include "quantity.hpp"
#include "sizes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tools::model {

namespace {

using sonde::model::latency_form;

/// The fit of a file, or one of nothing.
stored_fit start_of(wanted const& w) {
    if (!w.file && !w.model)
        throw std::runtime_error{"predict takes --parameters FILE, or --model and --set; see --help"};
    stored_fit s{fit_result{w.model.value_or(kind::hockney)}, w.form.value_or(latency_form::time_line)};
    if (!w.file) return s;
    s = read_fit(*w.file);
    if (!s.fit.describes_data())
        throw std::runtime_error{*w.file +
                                 ": the model does not describe the data that it was fitted to; it predicts nothing"};
    if (w.model && *w.model != s.fit.which)
        throw std::runtime_error{*w.file + ": is of the model " + name(s.fit.which) + ", not of " + name(*w.model)};
    if (w.form && *w.form != s.form) throw std::runtime_error{*w.file + ": is of the other form of the model"};
    return s;
}

std::vector<std::size_t> sizes_in(wanted const& w, fit_result const& f) {
    if (w.sizes) return sizes_of(*w.sizes, w.per_octave, 0);
    if (f.data.empty()) throw std::runtime_error{"predict takes --sizes A:B, or a list"};
    auto const text = [](sonde::model::bytes size) { return std::to_string(std::llround(size.count())); };
    return sizes_of(text(f.fit.from) + ':' + text(f.fit.to), w.per_octave, 0);
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
            for (auto const size : sizes_in(w, f)) {
                auto const x = static_cast<double>(size);
                auto const n = sonde::model::imb_repetitions(sonde::model::bytes{std::max(x, 1.0)});
                all.push_back({x, pairs, w.repetitions.value_or(f.which == kind::multi ? n : 1), messages});
            }
    return all;
}

using times = std::vector<sonde::seconds>;

/// Of each, by the parameters of its segment; only those must be known.
times times_of(wanted const& w, stored_fit const& by, sonde::seconds gamma, std::vector<occasion> const& at) {
    times all;
    for (auto const& o : at) {
        auto const model = model_of(by.fit, by.form, known_segment(by.fit, o.bytes));
        all.push_back(w.collective ? collective_time(*w.collective, *w.processes, model, o.bytes, gamma)
                                   : time_of(model, o));
    }
    return all;
}

/// Does any time depend on it? One of half the value and one of twice would tell.
bool changes_nothing(times const& found, auto times_with) {
    return times_with(0.5) == found && times_with(2.0) == found;
}

/// What the file did not say of a range that is asked for must be set, be it of no weight.
bool needed(setting const& s, fit_result const& start, std::vector<occasion> const& at) {
    auto const& all = start.fit.parameters;
    auto const said = std::any_of(all.begin(), all.end(), [&](auto const& p) {
        return p.name == s.name && p.segment == s.segment && p.status == sonde::model::parameter_status::determined;
    });
    return !said &&
           std::any_of(at.begin(), at.end(), [&](auto const& o) { return start.segment_of(o.bytes) == s.segment; });
}

/// A line for each --set that no time depends on.
std::vector<std::string> idle_settings(wanted const& w, fit_result const& start, stored_fit const& by,
                                       sonde::seconds gamma, std::vector<occasion> const& at, times const& found) {
    std::vector<std::string> lines;
    for (auto const& text : w.settings) {
        auto const idle = changes_nothing(found, [&](double factor) {
            if (is_gamma(text)) return times_of(w, by, factor * gamma, at);
            auto other = by;
            auto changed = setting::of(text, by.fit);
            if (needed(changed, start, at)) return times{};
            changed.value *= factor;
            set(changed, other.fit);
            return times_of(w, other, gamma, at);
        });
        if (idle) lines.push_back("--set " + text + ": changes nothing, no time asked for depends on it");
    }
    return lines;
}

} // namespace

prediction predict(wanted const& w) {
    auto by = start_of(w);
    auto const start = by.fit;
    refuse_others(w, by.fit.which);
    auto const gamma = take_gamma(w);
    for (auto const& text : w.settings)
        if (!is_gamma(text)) set(setting::of(text, by.fit), by.fit);
    prediction made{by.fit.which, by.form, formula(by.fit.which, by.form), w.collective, w.processes.value_or(0)};
    if (w.collective)
        made.formula = *w.collective + " of " + std::to_string(*w.processes) + " processes: at least this";
    auto const at = occasions(w, by.fit);
    auto const found = times_of(w, by, gamma, at);
    for (std::size_t i = 0; i != at.size(); ++i) made.times.push_back({at[i], found[i]});
    if (w.file) made.warnings = beyond(by.fit, at);
    for (auto const& line : idle_settings(w, start, by, gamma, at, found)) made.warnings.push_back(line);
    return made;
}

} // namespace tools::model
