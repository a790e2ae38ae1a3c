// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde {

/// JSON whose keys stay in the order they were written in.
using json = nlohmann::ordered_json;

namespace detail {

// An infinity or a NaN, which JSON does not know, is written as null and read as a NaN.
inline seconds seconds_in(json const& j) {
    return seconds{j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.get<double>()};
}

/// Throws std::invalid_argument for a number that is negative, or no whole one.
inline std::size_t count_in(json const& j) {
    auto const number = j.get<double>();
    if (!(number >= 0 && number < 0x1p64) || std::trunc(number) != number)
        throw std::invalid_argument{"not a number of bytes or messages: " + j.dump()};
    return static_cast<std::size_t>(number);
}

inline json json_of(std::vector<seconds> const& times) {
    auto list = json::array();
    for (auto const t : times) list.push_back(t.count());
    return list;
}

inline std::vector<seconds> series_in(json const& j) {
    std::vector<seconds> times;
    times.reserve(j.size());
    for (auto const& t : j) times.push_back(seconds_in(t));
    return times;
}

template <class Integer>
std::optional<Integer> whole(std::string const& text) {
    Integer value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return std::to_string(value) == text ? std::optional{value} : std::nullopt;
}

/// Text, or a number, an integer with all its digits: more than a double holds.
inline json json_of(parameter const& p) {
    if (!p.number || !std::isfinite(*p.number)) return p.text;
    if (auto const integer = whole<std::int64_t>(p.text)) return *integer;
    if (auto const integer = whole<std::uint64_t>(p.text)) return *integer;
    return *p.number;
}

inline parameter parameter_in(std::string const& name, json const& value) {
    if (value.is_number_unsigned()) return {name, value.get<std::uint64_t>()};
    if (value.is_number_integer()) return {name, value.get<std::int64_t>()};
    if (value.is_number()) return {name, value.get<double>()};
    return {name, value.get<std::string>()};
}

} // namespace detail

} // namespace sonde
