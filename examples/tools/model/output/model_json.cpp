// SPDX-License-Identifier: BSL-1.0
#include "tools/model/output/model_json.hpp"

#include "tools/records/lines.hpp"

#include <sonde/json.hpp>
#include <sonde/model.hpp>
#include <sonde/version.hpp>

#include <cstddef>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace tools::model {

namespace {

using regression::parameter_status;
using sonde::json;
using sonde::model::latency_form;

/// null without a limit.
json number(double x) { return x < sonde::model::unlimited ? json(x) : json{}; }

constexpr char const* status_names[] = {"determined", "at least", "at most", "not determined"};

double number_or_unlimited(json const& j) { return j.is_null() ? sonde::model::unlimited : j.get<double>(); }

json json_of(regression::parameter_estimate const& p) {
    return {{"name", p.name},
            {"unit", p.unit},
            {"segment", p.segment},
            {"value", p.status == parameter_status::undetermined ? json{} : number(p.value)},
            {"low", number(p.low)},
            {"high", number(p.high)},
            {"status", status_names[static_cast<std::size_t>(p.status)]}};
}

parameter_status status_in(std::string const& word) {
    for (std::size_t i = 0; i != std::size(status_names); ++i)
        if (word == status_names[i]) return static_cast<parameter_status>(i);
    throw std::invalid_argument{"the status '" + word + "' is unknown"};
}

regression::parameter_estimate parameter_in(json const& j) {
    return {j.at("name").get<std::string>(),    j.at("unit").get<std::string>(),
            number_or_unlimited(j.at("value")), number_or_unlimited(j.at("low")),
            number_or_unlimited(j.at("high")),  status_in(j.at("status").get<std::string>()),
            j.at("segment").get<std::size_t>()};
}

json row_of(fit_result const& f, observation const& o) {
    auto const t = f.time(o.at);
    return {{"bytes", o.at.bytes},
            {"pairs", o.at.pairs},
            {"repetitions", o.at.repetitions},
            {"messages", o.at.messages},
            {"measured_seconds", o.measured.count()},
            {"model_seconds", t ? number(t->count()) : json{}}};
}

observation observation_in(json const& j) {
    return {{j.at("bytes").get<double>(), j.at("pairs").get<double>(), j.at("repetitions").get<double>(),
             j.at("messages").get<double>()},
            sonde::seconds{j.at("measured_seconds").get<double>()}};
}

stored_fit fit_in(json const& j) {
    if (j.at("type") != "fit") throw std::invalid_argument{"its type is not 'fit'"};
    fit_result f{kind_of(j.at("model").get<std::string>())};
    for (auto const& p : j.at("parameters")) f.fit.parameters.push_back(parameter_in(p));
    for (auto const& o : j.at("table")) f.data.push_back(observation_in(o));
    f.fit.residual_rms = number_or_unlimited(j.at("residual_rms"));
    f.fit.from = sonde::model::bytes{j.at("from_bytes").get<double>()};
    f.fit.to = sonde::model::bytes{j.at("to_bytes").get<double>()};
    return {f, form_of(j.value("form", name(latency_form::time_line)))};
}

} // namespace

std::string fit_json(fit_result const& f, latency_form form, fit_source const& from) {
    json j = {{"type", "fit"},
              {"sonde_version", SONDE_VERSION},
              {"model", name(f.kind)},
              {"formula", formula(f.kind, form)},
              {"files", from.files},
              {"series", {{"table", from.table}, {"name", from.name}}},
              {"determined", f.fit.determined()},
              {"parameters", json::array()},
              {"residual_rms", number(f.fit.residual_rms)},
              {"from_bytes", number(f.fit.from.count())},
              {"to_bytes", number(f.fit.to.count())},
              {"points", f.data.size()},
              {"condition_number", number(f.fit.condition_number)},
              {"note", f.fit.note},
              {"table", json::array()}};
    if (f.kind == model_kind::multi) j["form"] = name(form);
    for (auto const& p : f.fit.parameters) j["parameters"].push_back(json_of(p));
    for (auto const& o : f.data) j["table"].push_back(row_of(f, o));
    return sonde::detail::json_line(j);
}

namespace {

/// Fits of a file, one line each, or one object of several lines.
std::vector<json> fits_in(std::string const& text) {
    if (auto const whole = json::parse(text, nullptr, false); !whole.is_discarded()) return {whole};
    std::vector<json> all;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);)
        if (!trimmed(line).empty()) all.push_back(json::parse(line));
    return all;
}

/// Number of the series; 1 in files of older versions.
std::size_t table_of(json const& fit) {
    return fit.contains("series") ? fit["series"].at("table").get<std::size_t>() : 1;
}

std::string numbers_of(std::vector<json> const& fits) {
    std::string all;
    for (auto const& f : fits) all += (all.empty() ? "" : ", ") + std::to_string(table_of(f));
    return all;
}

} // namespace

stored_fit read_fit(std::string const& path, std::optional<std::size_t> table) {
    auto const text = read_text(path);
    std::string several;
    try {
        auto const all = fits_in(text);
        for (auto const& f : all)
            if ((all.size() == 1 && !table) || (table && table_of(f) == *table)) return fit_in(f);
        for (auto const& f : all) fit_in(f);
        several = numbers_of(all);
    } catch (std::exception const&) { // the JSON library's message would not help the user
        throw std::runtime_error{path + ": is no fit of sonde-model, as fit --json writes it"};
    }
    throw std::runtime_error{path + ": has the fits of tables " + several + ": --table N chooses one"};
}

std::string prediction_json(prediction const& p) {
    json j = {{"type", "prediction"},
              {"model", name(p.kind)},
              {"formula", p.formula},
              {"warnings", p.warnings},
              {"table", json::array()}};
    if (p.kind == model_kind::multi) j["form"] = name(p.form);
    if (p.collective) j.update({{"collective", *p.collective}, {"processes", p.processes}});
    for (auto const& o : p.times)
        j["table"].push_back({{"bytes", o.at.bytes},
                              {"pairs", o.at.pairs},
                              {"repetitions", o.at.repetitions},
                              {"messages", o.at.messages},
                              {"seconds", number(o.measured.count())},
                              {"bytes_per_second", number(bandwidth(o.at, o.measured, p.kind))}});
    return sonde::detail::json_line(j);
}

} // namespace tools::model
