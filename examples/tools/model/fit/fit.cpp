// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/fit.hpp"

#include "suite/values.hpp"
#include "tools/model/regression/hockney_fit.hpp"
#include "tools/model/regression/log_gp_fit.hpp"
#include "tools/model/regression/max_rate_fit.hpp"
#include "tools/records/model_points.hpp"
#include "tools/records/units.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <vector>

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

namespace {

using sonde::model::bytes;
using sonde::model::hockney;
using sonde::model::log_gp;
using sonde::model::max_rate;
using sonde::model::multi_ping_pong;

template <class Model>
fit_result result_of(selection const& data, regression::fit_result<Model> const& f) {
    return {data.kind,
            {f.model, f.parameters, f.residual_rms, f.from, f.to, f.points, f.condition_number, f.note},
            data.points};
}

template <class Point>
std::vector<Point> points_of(selection const& data, Point (*point_of)(observation const&)) {
    std::vector<Point> points;
    for (auto const& o : data.points) points.push_back(point_of(o));
    return points;
}

tools::model_point<hockney> hockney_point(observation const& o) {
    return {bytes{o.at.bytes}, o.measured, o.resolution};
}
tools::model_point<multi_ping_pong> multi_point(observation const& o) {
    return {bytes{o.at.bytes}, o.at.repetitions, o.measured};
}
tools::model_point<max_rate> max_rate_point(observation const& o) {
    return {bytes{o.at.bytes}, o.at.pairs, o.measured};
}

/// Adds the time of one message, and of many without the way back, which takes as long as one message.
void add_log_gp_times(tools::model_point<log_gp> const& p, std::vector<observation>& to) {
    auto const one = p.prtt_1 / 2;
    to.push_back({{.bytes = p.size.count()}, one});
    to.push_back({{.bytes = p.size.count(), .messages = p.messages}, p.prtt_n - one});
}

fit_result log_gp_fit(selection const& data) {
    auto const points = tools::points_of<log_gp>(data.round_trips);
    auto result = result_of(data, regression::fit(points));
    for (auto const& p : points) add_log_gp_times(p, result.data);
    return result;
}

} // namespace

fit_result fit(selection const& data, sonde::model::latency_form form) {
    switch (data.kind) {
    case model_kind::hockney:
        return result_of(data, regression::fit(points_of(data, hockney_point)));
    case model_kind::multi:
        return result_of(data, regression::fit(points_of(data, multi_point), form));
    case model_kind::max_rate:
        return result_of(data, regression::fit(points_of(data, max_rate_point)));
    case model_kind::log_gp:
        return log_gp_fit(data);
    }
    throw std::invalid_argument{"no such model"};
}

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

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::rate;

/// Name on the command line: "alpha", or "alpha@2" if there are several ranges.
std::string option_name(fit_result const& f, std::string const& name, std::size_t segment) {
    return f.segments() == 1 ? name : name + '@' + std::to_string(segment + 1);
}

using parameters = std::vector<regression::parameter_estimate>;

/// Values of the parameters of a segment, by name.
class segment_values {
public:
    segment_values(fit_result const& f, std::size_t segment) : f_{f}, segment_{segment} {}

    bool has(std::string const& name) const { return find(name) != f_.fit.parameters.end(); }
    double operator()(std::string const& name) const {
        auto const& all = f_.fit.parameters;
        auto const known = find(name);
        auto const key = option_name(f_, name, segment_);
        auto const advice = ": --set " + key + "=VALUE gives one";
        if (known == all.end()) throw std::runtime_error{"no value of " + key + advice};
        if (known->status != parameter_status::determined)
            throw std::runtime_error{key + " is " + status_text(known->status) + advice};
        if (!(known->value > 0) || known->value >= sonde::model::unlimited)
            throw std::runtime_error{key + ": its value is not above zero"};
        return known->value;
    }

private:
    parameters::const_iterator find(std::string const& name) const {
        auto const& all = f_.fit.parameters;
        return std::find_if(all.begin(), all.end(),
                            [&](auto const& p) { return p.name == name && p.segment == segment_; });
    }

    fit_result const& f_;
    std::size_t segment_;
};

/// LogGP model of a segment. Its overheads are those of the smallest size, and may grow per byte from there.
sonde::model::log_gp log_gp_of(fit_result const& f, segment_values const& value) {
    auto const growth = [&](char const* name) { return seconds{value.has(name) ? value(name) : 0}; };
    auto const from = value.has("breakpoint") ? value("breakpoint") : std::max(1.0, f.fit.from.count());
    return {seconds{value("L")}, seconds{value("o_s")},  seconds{value("o_r")},  seconds{value("g")},
            seconds{value("G")}, growth("o_s per byte"), growth("o_r per byte"), bytes{from}};
}

} // namespace

std::size_t determined_segment(fit_result const& f, double size) {
    auto const segment = f.segment_of(size);
    for (auto const& p : f.fit.parameters) // an undetermined breakpoint has no value: no size is above it
        if (p.name == "breakpoint" && p.status == parameter_status::undetermined && p.segment == segment + 1)
            throw std::runtime_error{"where range " + std::to_string(p.segment + 1) +
                                     " of sizes begins is not determined by these data"};
    return segment;
}

model_variant model_of(fit_result const& f, sonde::model::latency_form form, std::size_t segment) {
    segment_values const value{f, segment};
    switch (f.kind) {
    case model_kind::hockney:
        return sonde::model::piecewise_hockney{{{bytes{0}, {seconds{value("alpha")}, rate{value("r_inf")}}}}};
    case model_kind::log_gp:
        return sonde::model::piecewise_log_gp{{{bytes{0}, log_gp_of(f, value)}}};
    case model_kind::multi:
        return sonde::model::multi_ping_pong{bytes{value("C")}, rate{value("B_r")}, seconds{value("T_l")}, form};
    case model_kind::max_rate:
        break;
    }
    return sonde::model::max_rate{seconds{value("alpha")}, rate{value("R_C")}, rate{value("R_N")}};
}

} // namespace tools::model
