// SPDX-License-Identifier: BSL-1.0
#include "parameters.hpp"

#include "fit_text.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::parameter_status;
using sonde::model::rate;

/// "alpha", or "alpha@2" where there are several ranges.
std::string address(fit_result const& f, std::string const& name, std::size_t segment) {
    return f.segments() == 1 ? name : name + '@' + std::to_string(segment + 1);
}

using parameters = std::vector<sonde::model::parameter_estimate>;

/// The values of a segment, by name.
class values {
public:
    values(fit_result const& f, std::size_t segment) : f_{f}, segment_{segment} {}

    bool has(std::string const& name) const { return find(name) != f_.fit.parameters.end(); }
    double operator()(std::string const& name) const {
        auto const& all = f_.fit.parameters;
        auto const found = find(name);
        auto const key = address(f_, name, segment_);
        auto const advice = ": --set " + key + "=VALUE gives one";
        if (found == all.end()) throw std::runtime_error{"no value of " + key + advice};
        if (found->status != parameter_status::determined)
            throw std::runtime_error{key + " is " + words_for(found->status) + advice};
        if (!(found->value > 0) || !std::isfinite(found->value))
            throw std::runtime_error{key + ": its value is not above zero"};
        return found->value;
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

/// Overheads are those of the smallest size of the segment, and grow from there where they do.
sonde::model::log_gp log_gp_of(fit_result const& f, values const& of) {
    auto const growth = [&](char const* name) { return seconds{of.has(name) ? of(name) : 0}; };
    auto const from = of.has("breakpoint") ? of("breakpoint") : std::max(1.0, f.fit.from.count());
    return {seconds{of("L")}, seconds{of("o_s")},     seconds{of("o_r")},     seconds{of("g")},
            seconds{of("G")}, growth("o_s per byte"), growth("o_r per byte"), bytes{from}};
}

} // namespace

std::size_t known_segment(fit_result const& f, double size) {
    auto const found = f.segment_of(size);
    for (auto const& p : f.fit.parameters) // an undetermined break has no value, and no size is above it
        if (p.name == "breakpoint" && p.status == parameter_status::undetermined && p.segment == found + 1)
            throw std::runtime_error{"where range " + std::to_string(p.segment + 1) +
                                     " of sizes begins is not determined by these data"};
    return found;
}

any_model model_of(fit_result const& f, sonde::model::latency_form form, std::size_t segment) {
    values const of{f, segment};
    switch (f.which) {
    case kind::hockney:
        return sonde::model::piecewise_hockney{{{bytes{0}, {seconds{of("alpha")}, rate{of("r_inf")}}}}};
    case kind::log_gp:
        return sonde::model::piecewise_log_gp{{{bytes{0}, log_gp_of(f, of)}}};
    case kind::multi:
        return sonde::model::multi_ping_pong{bytes{of("C")}, rate{of("B_r")}, seconds{of("T_l")}, form};
    case kind::max_rate:
        break;
    }
    return sonde::model::max_rate{seconds{of("alpha")}, rate{of("R_C")}, rate{of("R_N")}};
}

} // namespace tools::model
