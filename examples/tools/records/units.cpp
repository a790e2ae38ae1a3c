// SPDX-License-Identifier: BSL-1.0
#include "tools/records/units.hpp"

#include "suite/values.hpp"

#include <sonde/model.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace tools {

namespace {

constexpr std::size_t most_sizes = 10000;
constexpr std::size_t largest = std::size_t{1} << 40;

/// Reads the value of an option, and names both in errors.
class size_list_reader {
public:
    size_list_reader(std::string const& text, std::size_t least, std::string const& option)
        : text_{text}, least_{least}, given_{option + ' ' + text} {}

    /// Sizes and ranges with commas between.
    std::vector<std::size_t> list(std::size_t per_octave) const {
        std::vector<std::size_t> all;
        for (auto const& part : suite::split(text_, ',')) {
            auto const some = range(part, per_octave);
            all.insert(all.end(), some.begin(), some.end());
            require_few(static_cast<double>(all.size()));
        }
        return all;
    }

private:
    std::vector<std::size_t> range(std::string const& text, std::size_t per_octave) const {
        auto const parts = numbers(text);
        if (parts.size() == 1) return parts;
        if (parts.size() > 3) refuse("takes sizes, A:B and A:B:STEP, with commas between");
        if (parts[1] < parts[0]) refuse("the last size is below the first");
        return parts.size() == 3 ? linear(parts[0], parts[1], parts[2]) : logarithmic(parts[0], parts[1], per_octave);
    }

    [[noreturn]] void refuse(std::string const& why) const { throw std::invalid_argument{given_ + ": " + why}; }
    void require_few(double count) const {
        if (count > most_sizes) refuse("more than " + std::to_string(most_sizes) + " sizes");
    }
    std::vector<std::size_t> numbers(std::string const& text) const {
        std::vector<std::size_t> all;
        for (auto const& part : suite::split(text, ':')) {
            all.push_back(read_size(part, given_));
            if (all.back() < least_) refuse("'" + part + "' is below " + std::to_string(least_) + " byte");
        }
        return all;
    }
    std::vector<std::size_t> linear(std::size_t first, std::size_t last, std::size_t step) const {
        if (step == 0) refuse("a step of 0");
        require_few(static_cast<double>(last - first) / static_cast<double>(step) + 1);
        std::vector<std::size_t> all;
        for (auto size = first; size <= last; size += step) all.push_back(size);
        return all;
    }
    std::vector<std::size_t> logarithmic(std::size_t first, std::size_t last, std::size_t per_octave) const {
        std::vector<std::size_t> all;
        if (first == 0) all.push_back(first++); // 0 has no logarithm
        if (last < first) return all;
        auto const n = static_cast<double>(per_octave), from = static_cast<double>(first);
        auto const steps = n * std::log2(static_cast<double>(last) / from);
        require_few(steps + 1);
        for (double i = 0; i < steps; ++i)
            all.push_back(static_cast<std::size_t>(std::llround(from * std::exp2(i / n))));
        all.push_back(last); // without rounding
        return all;
    }

    std::string const& text_;
    std::size_t least_;
    std::string given_; // "--sizes 1,2"
};

} // namespace

std::size_t read_size(std::string const& text, std::string const& option) {
    if (auto const size = suite::size_in(text, largest)) return *size;
    throw std::invalid_argument{option + ": '" + text + "' is no size: whole bytes, or K, M, G, up to 1024G"};
}

std::vector<std::size_t> read_sizes(std::string const& text, std::size_t per_octave, std::size_t least,
                                    std::string const& option) {
    size_list_reader const reader{text, least, option};
    auto all = reader.list(per_octave);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

namespace {

struct named_unit {
    std::string name;
    double factor;
};

/// Units of a quantity, from the largest to the smallest.
std::vector<named_unit> units_of(std::string const& unit) {
    if (unit == "s") return {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
    if (unit == "s/B") return {{"s/B", 1}, {"ms/B", 1e-3}, {"us/B", 1e-6}, {"ns/B", 1e-9}, {"ps/B", 1e-12}};
    if (unit == "B/s") return {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1}};
    if (unit == "B") return {{"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}};
    return {{unit, 1}};
}

/// Factor of the unit after the number in `text`.
double factor_of(std::string const& unit_text, std::string const& text, std::string const& unit,
                 std::string const& name) {
    if (unit_text.empty()) return 1;
    if (auto const size = unit == "B" ? suite::size_unit(unit_text) : std::nullopt) return static_cast<double>(*size);
    auto const units = units_of(unit);
    for (auto const& u : units)
        if (u.name == unit_text) return u.factor;
    throw std::runtime_error{name + ": the unit of '" + text + "' is none of " +
                             sonde::detail::joined(units, ", ", &named_unit::name)};
}

} // namespace

std::string quantity_scale::number(double value) const {
    if (value >= sonde::model::unlimited) return "inf";
    return sonde::detail::fixed(value / factor, decimals);
}

std::string quantity_scale::number_and_unit(double value) const {
    return number(value) + (unit.empty() ? "" : " " + unit);
}

quantity_scale scale_of(double value, std::string const& unit) {
    auto const units = units_of(unit);
    auto chosen = units.back();
    for (auto const& u : units)
        if (std::fabs(value) >= u.factor) {
            chosen = u;
            break;
        }
    if (value == 0 || value >= sonde::model::unlimited) chosen = {unit, 1};
    int decimals = 3;
    for (auto left = std::fabs(value) / chosen.factor; left >= 10 && decimals > 0; left /= 10) --decimals;
    if (chosen.name == "B" && value == std::floor(value)) decimals = 0;
    return {chosen.name, chosen.factor, decimals};
}

double read_quantity(std::string const& text, std::string const& unit, std::string const& name) {
    double number = 0;
    auto const end = text.data() + text.size();
    auto const [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || !sonde::model::detail::is_finite(number))
        throw std::runtime_error{name + ": '" + text + "' is no number"};
    std::string unit_text{stopped, end};
    unit_text.erase(0, unit_text.find_first_not_of(' '));
    auto const value = number * factor_of(unit_text, text, unit, name);
    if (!(value < sonde::model::unlimited)) throw std::runtime_error{name + ": '" + text + "' is too large"};
    return value;
}

} // namespace tools
