// SPDX-License-Identifier: BSL-1.0
#include "quantity.hpp"

#include "sizes.hpp"

#include <sonde/report/text.hpp>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace tools::model {

namespace {

struct named_unit {
    std::string name;
    double factor;
};

/// From the largest to the smallest.
std::vector<named_unit> units_of(std::string const& unit) {
    if (unit == "s") return {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
    if (unit == "s/B") return {{"s/B", 1}, {"ms/B", 1e-3}, {"us/B", 1e-6}, {"ns/B", 1e-9}, {"ps/B", 1e-12}};
    if (unit == "B/s") return {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1}};
    if (unit == "B") return {{"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}};
    return {{unit, 1}};
}

/// What a text begins with as a number, and what is behind it without blanks.
struct number_and_rest {
    double number = 0;
    std::string rest;
    bool good = false;

    explicit number_and_rest(std::string const& text) {
        auto const end = text.data() + text.size();
        auto const [stopped, error] = std::from_chars(text.data(), end, number);
        good = error == std::errc{} && std::isfinite(number);
        rest.assign(stopped, end);
        rest.erase(0, rest.find_first_not_of(' '));
    }
};

double factor_of(number_and_rest const& read, std::string const& text, std::string const& unit,
                 std::string const& name) {
    if (read.rest.empty()) return 1;
    if (auto const size = unit == "B" ? size_unit(read.rest) : std::nullopt) return static_cast<double>(*size);
    std::string accepted;
    for (auto const& u : units_of(unit)) {
        if (u.name == read.rest && !u.name.empty()) return u.factor;
        accepted += (accepted.empty() ? "" : ", ") + u.name;
    }
    throw std::runtime_error{name + ": the unit of '" + text + "' is none of " + accepted};
}

} // namespace

std::string quantity_scale::number(double value) const {
    if (!std::isfinite(value)) return value > 0 ? "inf" : "-";
    return sonde::detail::fixed(value / factor, decimals);
}

std::string quantity_scale::text(double value) const { return number(value) + (unit.empty() ? "" : " " + unit); }

quantity_scale scale_of(double value, std::string const& unit) {
    auto const units = units_of(unit);
    auto chosen = units.back();
    for (auto const& u : units)
        if (std::fabs(value) >= u.factor) {
            chosen = u;
            break;
        }
    if (value == 0 || !std::isfinite(value)) chosen = {unit, 1};
    int decimals = 3;
    for (auto left = std::fabs(value) / chosen.factor; left >= 10 && decimals > 0; left /= 10) --decimals;
    if (chosen.name == "B" && value == std::floor(value)) decimals = 0;
    return {chosen.name, chosen.factor, decimals};
}

double read_quantity(std::string const& text, std::string const& unit, std::string const& name) {
    number_and_rest const read{text};
    if (!read.good) throw std::runtime_error{name + ": '" + text + "' is no number"};
    auto const value = read.number * factor_of(read, text, unit, name);
    if (!std::isfinite(value)) throw std::runtime_error{name + ": '" + text + "' is too large"};
    return value;
}

} // namespace tools::model
