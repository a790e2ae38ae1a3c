// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/series_names.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::detail {

inline constexpr std::size_t most_curves = 10; // that can be told apart; more are parted

/// Records that share figures: of one name, with no more than `most_curves` sets of other settings.
struct drawn_together {
    std::vector<std::vector<std::string>> settings{};
    std::vector<record> records{};

    bool takes(record const& r) const {
        auto const known = std::find(settings.begin(), settings.end(), setting_words(r.at)) != settings.end();
        return records.front().at.name == r.at.name && (known || settings.size() < most_curves);
    }
    void add(record const& r) {
        auto words = setting_words(r.at);
        if (std::find(settings.begin(), settings.end(), words) == settings.end()) settings.push_back(std::move(words));
        records.push_back(r);
    }
};

/// The records of each figure, in the order they came: all of them where their curves have room in one.
inline std::vector<std::vector<record>> parted(std::vector<record> const& records) {
    if (series_of(records).series.size() <= most_curves) return {records};
    std::vector<drawn_together> groups;
    for (auto const& r : records) {
        auto const at = std::find_if(groups.begin(), groups.end(), [&](auto const& g) { return g.takes(r); });
        (at == groups.end() ? groups.emplace_back() : *at).add(r);
    }
    std::vector<std::vector<record>> parts;
    for (auto& g : groups) parts.push_back(std::move(g.records));
    return parts;
}

} // namespace sonde::detail
