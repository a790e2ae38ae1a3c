// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rows.hpp"
#include "summary.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tools {

enum class verdict : unsigned char { undecided, faster, slower };

constexpr char const* name(verdict v) {
    constexpr char const* names[] = {"undecided", "faster", "slower"};
    return names[static_cast<unsigned char>(v)];
}

/// When a row counts as different.
struct limits {
    double effect = 0.05; // of the shorter time, at least; and more than the clock's quantum
    double alpha = 0.05;  // of one false verdict among all rows
};

/// A row that both sides have.
struct judged {
    row of;
    summary before, after;
    std::optional<double> p; // of the rank-sum test, corrected for the number of rows; none where a side has one launch
    verdict outcome = verdict::undecided;

    double ratio() const { return after.median / before.median; }
};

/// Every row that both sides have, judged by the medians of launches: slower or faster where the corrected p is at most
/// alpha and the medians are as far apart as `limits` says.
std::vector<judged> judge(std::vector<row> const& rows, limits const& asked);

/// With as many launches as there are, can no row be called different, however far apart both sides are? Then the
/// fewest launches a side that would do. None where rows can, or where no row has two launches on both sides.
std::optional<std::size_t> launches_lacking(std::vector<judged> const& rows, double alpha);

} // namespace tools
