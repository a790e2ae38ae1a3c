// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../common/numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace imb {

/// The fewest letters to insert, remove or replace that make one word the other.
inline std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1); // of the letters of `from` so far
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (auto const letter : from) {
        auto diagonal = row[0]++;
        for (std::size_t j = 0; j != to.size(); ++j) {
            auto const replaced = diagonal + (letter == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// The name that is most like the word, case aside; of equals the first, of none "".
inline std::string nearest(std::string const& word, std::vector<std::string> const& names) {
    auto const distance = [&](std::string const& name) {
        return edit_distance(common::lower(word), common::lower(name));
    };
    auto const found = std::min_element(names.begin(), names.end(),
                                        [&](auto const& a, auto const& b) { return distance(a) < distance(b); });
    return found == names.end() ? "" : *found;
}

} // namespace imb
