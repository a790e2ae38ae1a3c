// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/fit.hpp"

#include "suite/values.hpp"
#include "tools/records/units.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <stdexcept>

namespace tools::model {

std::size_t fit_result::segments() const {
    std::size_t count = 1;
    for (auto const& p : fit.parameters) count = std::max(count, p.segment + 1);
    return count;
}

std::size_t fit_result::segment_of(double bytes) const {
    std::size_t segment = 0;
    for (auto const& p : fit.parameters)
        if (p.name == "breakpoint" && bytes >= p.value) segment = std::max(segment, p.segment);
    return segment;
}

bool fit_result::determined(std::size_t segment) const {
    return std::all_of(fit.parameters.begin(), fit.parameters.end(), [&](auto const& p) {
        return p.segment != segment || p.status == regression::parameter_status::determined;
    });
}

std::optional<sonde::seconds> fit_result::time(workload const& at) const {
    return determined(segment_of(at.bytes)) ? std::optional{time_of(fit.model, at)} : std::nullopt;
}

fit_result fit(selection const& data, sonde::model::latency_form form) { return row_of(data.kind).fit(data, form); }

using regression::parameter_status;

char const* status_text(parameter_status status) {
    switch (status) {
    case parameter_status::determined:
        return "determined";
    case parameter_status::lower_bound:
        return "at least this";
    case parameter_status::upper_bound:
        return "at most this";
    case parameter_status::undetermined:
        break;
    }
    return "not determined by these data";
}

namespace {

std::string unit_of(model_kind kind, std::string const& name) {
    auto const parameters = row_of(kind).parameters;
    for (auto const& p : parameters)
        if (p.name == name) return p.unit;
    auto const names = sonde::detail::joined(parameters, ", ", [](auto const& p) { return std::string{p.name}; });
    throw std::runtime_error{"the parameter '" + name + "' is none of " + names};
}

std::size_t segment_in(std::string const& name, std::string const& number, fit_result const& f) {
    auto const count = f.segments();
    if (auto const range = suite::number<std::size_t>(number, 1, count)) return *range - 1;
    throw std::runtime_error{"--set " + name + '@' + number + ": ranges are counted from 1 to " +
                             std::to_string(count)};
}

} // namespace

parameter_setting read_setting(std::string const& text, fit_result const& f) {
    auto const equals = text.find('=');
    if (equals == text.npos) throw std::runtime_error{"--set '" + text + "': takes NAME=VALUE"};
    auto const key = text.substr(0, equals), name = key.substr(0, key.find('@'));
    auto const value = read_quantity(text.substr(equals + 1), unit_of(f.kind, name), name);
    if (!(value > 0)) throw std::runtime_error{"--set '" + text + "': is not above zero"};
    if (name != key) return {name, segment_in(name, key.substr(name.size() + 1), f), value};
    if (f.segments() == 1) return {name, 0, value};
    throw std::runtime_error{"--set " + name + ": there are " + std::to_string(f.segments()) +
                             " ranges of sizes, and it takes one of them: " + name + "@1=VALUE .. " + name + '@' +
                             std::to_string(f.segments()) + "=VALUE"};
}

void apply(parameter_setting const& setting, fit_result& f) {
    auto& all = f.fit.parameters;
    std::erase_if(all, [&](auto const& p) { return p.name == setting.name && p.segment == setting.segment; });
    all.push_back({setting.name, unit_of(f.kind, setting.name), setting.value, setting.value, setting.value,
                   parameter_status::determined, setting.segment});
}

bool is_independent(model_kind kind, std::string const& name) {
    auto const parameters = row_of(kind).parameters;
    return std::any_of(parameters.begin(), parameters.end(), [&](auto const& p) { return p.name == name; });
}

segment_values::segment_values(fit_result const& f, std::size_t segment)
    : segment_{segment}, suffix_{f.segments() == 1 ? "" : '@' + std::to_string(segment + 1)},
      smallest_size_{f.fit.from.count()}, all_{f.fit.parameters} {}

regression::parameter_estimate const* segment_values::find(std::string const& name) const {
    auto const found =
        std::find_if(all_.begin(), all_.end(), [&](auto const& p) { return p.name == name && p.segment == segment_; });
    return found == all_.end() ? nullptr : &*found;
}

double segment_values::operator()(std::string const& name) const {
    auto const* const known = find(name);
    auto const key = name + suffix_, advice = ": --set " + key + "=VALUE gives one";
    if (known == nullptr) throw std::runtime_error{"no value of " + key + advice};
    if (known->status != parameter_status::determined)
        throw std::runtime_error{key + " is " + status_text(known->status) + advice};
    if (!(known->value > 0) || known->value >= sonde::model::unlimited)
        throw std::runtime_error{key + ": its value is not above zero"};
    return known->value;
}

std::size_t determined_segment(fit_result const& f, double size) {
    auto const segment = f.segment_of(size);
    for (auto const& p : f.fit.parameters) // an undetermined breakpoint has no value: no size is above it
        if (p.name == "breakpoint" && p.status == parameter_status::undetermined && p.segment == segment + 1)
            throw std::runtime_error{"where range " + std::to_string(p.segment + 1) +
                                     " of sizes begins is not determined by these data"};
    return segment;
}

model_variant model_of(fit_result const& f, sonde::model::latency_form form, std::size_t segment) {
    return row_of(f.kind).model_of({f, segment}, form);
}

} // namespace tools::model
