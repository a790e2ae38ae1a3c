// SPDX-License-Identifier: BSL-1.0
#include "parameters.hpp"
#include "quantity.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tools::model {

namespace {

struct own_parameter {
    kind of;
    std::string_view name;
    char const* unit;
};

constexpr own_parameter own[] = {
    {kind::hockney, "alpha", "s"},
    {kind::hockney, "r_inf", "B/s"},
    {kind::multi, "C", "B"},
    {kind::multi, "B_r", "B/s"},
    {kind::multi, "T_l", "s"},
    {kind::max_rate, "alpha", "s"},
    {kind::max_rate, "R_C", "B/s"},
    {kind::max_rate, "R_N", "B/s"},
    {kind::log_gp, "L", "s"},
    {kind::log_gp, "o_s", "s"},
    {kind::log_gp, "o_r", "s"},
    {kind::log_gp, "g", "s"},
    {kind::log_gp, "G", "s/B"},
    {kind::log_gp, "o_s per byte", "s/B"},
    {kind::log_gp, "o_r per byte", "s/B"},
};

std::string unit_of(kind k, std::string const& name) {
    std::string names;
    for (auto const& p : own) {
        if (p.of != k) continue;
        if (p.name == name) return p.unit;
        names += (names.empty() ? "" : ", ") + std::string{p.name};
    }
    throw std::runtime_error{"the parameter '" + name + "' is none of " + names};
}

std::size_t segment_in(std::string const& name, std::string const& number, fit_result const& f) {
    auto const count = f.segments();
    std::size_t range = 0;
    auto const [stopped, error] = std::from_chars(number.data(), number.data() + number.size(), range);
    if (error == std::errc{} && stopped == number.data() + number.size() && range >= 1 && range <= count)
        return range - 1;
    throw std::runtime_error{"--set " + name + '@' + number + ": ranges are counted from 1 to " +
                             std::to_string(count)};
}

} // namespace

setting setting::of(std::string const& text, fit_result const& f) {
    auto const equals = text.find('=');
    if (equals == text.npos) throw std::runtime_error{"--set '" + text + "': takes NAME=VALUE"};
    auto const key = text.substr(0, equals), name = key.substr(0, key.find('@'));
    auto const value = read_quantity(text.substr(equals + 1), unit_of(f.which, name), name);
    if (!(value > 0)) throw std::runtime_error{"--set '" + text + "': is not above zero"};
    if (name != key) return {name, segment_in(name, key.substr(name.size() + 1), f), value};
    if (f.segments() == 1) return {name, 0, value};
    throw std::runtime_error{"--set " + name + ": there are " + std::to_string(f.segments()) +
                             " ranges of sizes, and it takes one of them: " + name + "@1=VALUE .. " + name + '@' +
                             std::to_string(f.segments()) + "=VALUE"};
}

void set(setting const& what, fit_result& in) {
    auto& all = in.fit.parameters;
    std::erase_if(all, [&](auto const& p) { return p.name == what.name && p.segment == what.segment; });
    all.push_back({what.name, unit_of(in.which, what.name), what.value, what.value, what.value,
                   sonde::model::parameter_status::determined, what.segment});
}

bool is_own(kind k, std::string const& name) {
    return std::any_of(std::begin(own), std::end(own), [&](auto const& p) { return p.of == k && p.name == name; });
}

} // namespace tools::model
