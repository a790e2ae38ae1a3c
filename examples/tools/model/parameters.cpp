// SPDX-License-Identifier: BSL-1.0
#include "parameters.hpp"

#include "fit_text.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::rate;

struct own_parameter {
    kind of;
    std::string_view name;
    char const* unit;
};

constexpr own_parameter own[] = {
    {kind::hockney, "alpha", "s"},  {kind::hockney, "r_inf", "B/s"}, {kind::multi, "C", "B"},
    {kind::multi, "B_r", "B/s"},    {kind::multi, "T_l", "s"},       {kind::max_rate, "alpha", "s"},
    {kind::max_rate, "R_C", "B/s"}, {kind::max_rate, "R_N", "B/s"},  {kind::log_gp, "L", "s"},
    {kind::log_gp, "o_s", "s"},     {kind::log_gp, "o_r", "s"},      {kind::log_gp, "g", "s"},
    {kind::log_gp, "G", "s/B"},
};

/// The values of a segment, by name.
class values {
public:
    values(parameters const& all, std::size_t segment) : all_{all}, segment_{segment} {}

    double operator()(std::string const& name) const {
        auto const found = std::find_if(all_.begin(), all_.end(),
                                        [&](auto const& p) { return p.name == name && p.segment == segment_; });
        if (found == all_.end())
            throw std::runtime_error{"no value of " + name + ": --set " + name + "=VALUE gives one"};
        if (found->stands != sonde::model::standing::determined)
            throw std::runtime_error{name + " is " + words_for(found->stands) + ": --set " + name + "=VALUE gives one"};
        if (!(found->value > 0) || !std::isfinite(found->value))
            throw std::runtime_error{name + ": its value is not above zero"};
        return found->value;
    }

private:
    parameters const& all_;
    std::size_t segment_;
};

std::size_t segments(parameters const& all) {
    std::size_t count = 1;
    for (auto const& p : all) count = std::max(count, p.segment + 1);
    return count;
}

sonde::model::hockney segment_of(sonde::model::piecewise_hockney const&, values const& of) {
    return {seconds{of("alpha")}, rate{of("r_inf")}};
}
sonde::model::log_gp segment_of(sonde::model::piecewise_log_gp const&, values const& of) {
    return {seconds{of("L")}, seconds{of("o_s")}, seconds{of("o_r")}, seconds{of("g")}, seconds{of("G")}};
}

/// A piecewise model of its segments.
template <class Model>
Model segmented(parameters const& all, double from) {
    Model m;
    for (std::size_t s = 0; s != segments(all); ++s) {
        values const of{all, s};
        m.segments.push_back({bytes{s == 0 ? from : of("break")}, segment_of(m, of)});
    }
    return m;
}

} // namespace

std::string unit_of(kind k, std::string_view name) {
    std::string names;
    for (auto const& p : own) {
        if (p.of != k) continue;
        if (p.name == name) return p.unit;
        names += (names.empty() ? "" : ", ") + std::string{p.name};
    }
    throw std::runtime_error{"the parameter '" + std::string{name} + "' is none of " + names};
}

any_model model_of(kind k, sonde::model::latency_form form, parameters const& all, double from) {
    values const of{all, 0};
    if (k == kind::hockney) return segmented<sonde::model::piecewise_hockney>(all, from);
    if (k == kind::log_gp) return segmented<sonde::model::piecewise_log_gp>(all, from);
    if (k == kind::multi)
        return sonde::model::multi_ping_pong{bytes{of("C")}, rate{of("B_r")}, seconds{of("T_l")}, form};
    return sonde::model::max_rate{seconds{of("alpha")}, rate{of("R_C")}, rate{of("R_N")}};
}

} // namespace tools::model
