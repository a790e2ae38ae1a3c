// SPDX-License-Identifier: BSL-1.0
#include "tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace tools::model {

namespace {

/// Of the sizes that both have, the median of how many times longer one takes than the other; 1 without such sizes.
double times_apart(table const& a, table const& b) {
    std::vector<double> ratios;
    for (auto const& r : a.rows)
        for (auto const& s : b.rows)
            if (r.bytes == s.bytes) ratios.push_back(slowest(r) / slowest(s));
    if (ratios.empty()) return 1;
    auto const middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return std::max(*middle, 1 / *middle);
}

} // namespace

void refuse_mixed_units(std::vector<table> const& used) {
    for (auto const& a : used)
        for (auto const& b : used)
            if (auto const apart = a.pairs == b.pairs ? times_apart(a, b) : 1; apart > 10)
                throw std::runtime_error{a.path + " and " + b.path + ": times of the same sizes are " +
                                         std::to_string(std::lround(apart)) + " times apart: mixed units?"};
}

sonde::seconds slowest(table_row const& r) { return *std::max_element(r.times.begin(), r.times.end()); }

} // namespace tools::model
