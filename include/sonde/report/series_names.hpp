// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::detail {

inline std::optional<double> bytes_of(record const& r) {
    for (auto const& p : r.at.parameters)
        if (p.name == "bytes") return p.number;
    return std::nullopt;
}

/// Records that differ in nothing but the bytes, ascending, and what tells them from the others.
struct series_of_sizes {
    std::string name;
    std::vector<record const*> records;
};

/// Every series of some records, and what they have in common, as texts: `osu_bw  window=64`.
struct all_series {
    std::string common;
    std::vector<series_of_sizes> series;
};

/// A point's name and parameters without the bytes, as words. How often it was repeated makes it no other.
inline std::vector<std::string> setting_words(point const& at) {
    std::vector<std::string> words;
    if (!at.name.empty()) words.push_back(at.name);
    for (auto const& p : at.parameters)
        if (p.name != "bytes" && p.name != "repetitions") words.push_back(p.name + '=' + p.text);
    return words;
}

inline bool holds(std::vector<std::string> const& words, std::string const& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

inline std::string joined(std::vector<std::string> const& words) {
    std::string line;
    for (auto const& w : words) line += (line.empty() ? "" : "  ") + w;
    return line;
}

/// The words that all have; they are taken out of each.
inline std::vector<std::string> take_common(std::vector<std::vector<std::string>>& all) {
    auto const first = all.empty() ? std::vector<std::string>{} : all.front();
    std::vector<std::string> common;
    for (auto const& word : first)
        if (std::all_of(all.begin(), all.end(), [&](auto const& words) { return holds(words, word); }))
            common.push_back(word);
    for (auto& words : all) std::erase_if(words, [&](auto const& w) { return holds(common, w); });
    return common;
}

/// The records by what else they are than a size, in the order they came. They are pointed to.
inline all_series series_of(std::vector<record> const& records) {
    std::vector<std::vector<std::string>> keys;
    all_series found;
    for (auto const& r : records) {
        auto key = setting_words(r.at);
        auto const at = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
        if (at == keys.size()) {
            keys.push_back(std::move(key));
            found.series.emplace_back();
        }
        found.series[at].records.push_back(&r);
    }
    found.common = joined(take_common(keys));
    for (std::size_t i = 0; i != keys.size(); ++i) found.series[i].name = joined(keys[i]);
    for (auto& s : found.series)
        std::stable_sort(s.records.begin(), s.records.end(),
                         [](auto const* a, auto const* b) { return bytes_of(*a) < bytes_of(*b); });
    return found;
}

} // namespace sonde::detail
