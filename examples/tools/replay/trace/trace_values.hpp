// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/event.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The values of a trace, which is a file that anyone may have written. These functions throw std::runtime_error for a
// value of another type or beyond its bounds.

namespace tools::replay {

void require(bool holds, std::string const& what);

/// The most bytes of an element, of a call and of a window, and the most passes of all loops that are in each other:
/// more than a machine has, and has time for.
constexpr std::int64_t most_bytes = std::int64_t{1} << 48;
constexpr std::int64_t most_passes = std::int64_t{1} << 48;

/// An integer from `least` to `most`. `name` is that of its member.
std::int64_t integer_within(nlohmann::json const& value, char const* name, std::int64_t least, std::int64_t most);
std::vector<std::int64_t> integers_within(nlohmann::json const& list, char const* name, std::int64_t least,
                                          std::int64_t most);

/// An integer of type T that is not less than `least`.
template <class T>
T integer_from(nlohmann::json const& value, char const* name, std::int64_t least) {
    constexpr auto most = std::numeric_limits<T>::max();
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    return static_cast<T>(
        integer_within(value, name, least, std::cmp_less(most, largest) ? static_cast<std::int64_t>(most) : largest));
}

/// Seconds from 0 to 1e9.
double read_seconds(nlohmann::json const& value);

/// A text without control characters, which are blanks.
std::string read_text(nlohmann::json const& value);
std::vector<std::string> read_texts(nlohmann::json const& list);

/// "any", "null" or a distance; nothing for a negative number, which is the distance to no rank.
std::optional<distance> partner_of(nlohmann::json const& value);

/// An index in a table of this size.
std::int32_t index_of(nlohmann::json const& value, std::size_t size);

/// The place of an event, which is the key of a member.
std::size_t place_of(std::string const& key, std::size_t events);

} // namespace tools::replay
