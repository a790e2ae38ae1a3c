// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/trace_values.hpp"

#include <sonde/report/text.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

namespace tools::replay {

using nlohmann::json;

void require(bool holds, std::string const& what) {
    if (!holds) throw std::runtime_error{what};
}

std::int64_t integer_within(json const& value, char const* name, std::int64_t least, std::int64_t most) {
    auto const fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() || std::cmp_less_equal(value.get<std::uint64_t>(), most));
    require(fits && value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most,
            std::string{"'"} + name + "' is no integer from " + std::to_string(least) + " to " + std::to_string(most));
    return value.get<std::int64_t>();
}

std::vector<std::int64_t> integers_within(json const& list, char const* name, std::int64_t least, std::int64_t most) {
    require(list.is_array(), std::string{"'"} + name + "' is no list");
    std::vector<std::int64_t> found;
    for (auto const& one : list) found.push_back(integer_within(one, name, least, most));
    return found;
}

double read_seconds(json const& value) {
    require(value.is_number(), "a time is no number");
    auto const seconds = value.get<double>();
    require(seconds >= 0 && seconds <= 1e9, "a time is not from 0 to 1e9 seconds");
    return seconds;
}

std::string read_text(json const& value) { return sonde::detail::plain_text(value.get_ref<std::string const&>()); }

std::vector<std::string> read_texts(json const& list) {
    std::vector<std::string> found;
    for (auto const& one : list) found.push_back(read_text(one));
    return found;
}

std::optional<distance> partner_of(json const& value) {
    if (value.is_string()) {
        auto const& text = value.get_ref<std::string const&>();
        require(text == "any" || text == "null", "a partner is neither a distance, \"any\" nor \"null\"");
        return text == "any" ? any_partner : null_partner;
    }
    auto const d = integer_from<distance>(value, "to or from", std::numeric_limits<distance>::min());
    return d < 0 ? std::nullopt : std::optional{d};
}

std::int32_t index_of(json const& value, std::size_t size) {
    require(value.is_number_integer() && value >= 0 && value < size, "a number refers to nothing in its table");
    return value.get<std::int32_t>();
}

std::size_t place_of(std::string const& key, std::size_t events) {
    std::size_t place = 0;
    auto const [end, error] = std::from_chars(key.data(), key.data() + key.size(), place);
    require(error == std::errc{} && end == key.data() + key.size() && place < events, "a place is none of the program");
    return place;
}

} // namespace tools::replay
