// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/row_text.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tools {

using sonde::detail::fixed;

time_scale::time_scale(sonde::seconds value) {
    constexpr char const* smaller[] = {"ms", "us", "ns"};
    for (auto const* const next : smaller) {
        if (!(value.count() * per_second < 1)) break;
        unit = next;
        per_second *= 1000;
    }
    for (auto left = value.count() * per_second; left >= 10 && decimals > 0; left /= 10) --decimals;
}

std::string time_scale::number(sonde::seconds t) const { return fixed(t.count() * per_second, decimals); }

std::string probability(std::optional<double> p) {
    if (!p) return "-";
    return *p < 0.0001 ? "<0.0001" : fixed(*p, 4);
}

settings settings_of(sonde::point const& at, std::size_t occurrence) {
    settings all{{"name", at.name}};
    for (auto const& p : at.parameters) all.emplace_back(p.name, p.text);
    if (occurrence != 1) all.emplace_back("again", '#' + std::to_string(occurrence));
    return all;
}

std::string value_in(settings const& row, std::string const& name) {
    auto const setting = std::find_if(row.begin(), row.end(), [&](auto const& s) { return s.first == name; });
    return setting == row.end() ? "-" : setting->second;
}

setting_names::setting_names(std::vector<settings> const& rows) {
    struct values {
        std::string first;
        std::size_t count = 0; // rows with the setting
        bool differ = false;
    };
    std::map<std::string, values> known;
    std::vector<std::string> names;
    for (auto const& r : rows)
        for (auto const& [name, value] : r) {
            auto const [of, is_new] = known.try_emplace(name, values{value});
            if (is_new) names.push_back(name);
            of->second.differ = of->second.differ || value != of->second.first;
            ++of->second.count;
        }
    for (auto const& name : names) {
        auto const& of = known.at(name);
        (of.differ || of.count != rows.size() ? varying : common).push_back(name);
    }
}

cells setting_names::values_in(settings const& row) const {
    cells values;
    for (auto const& name : varying) values.push_back(value_in(row, name));
    return values;
}

std::string setting_names::common_line(settings const& row) const {
    std::string line;
    for (auto const& name : common) line += ' ' + (name == "name" ? "" : name + '=') + value_in(row, name);
    return line.empty() ? line : '#' + line;
}

} // namespace tools
