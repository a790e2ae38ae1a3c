// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/compare/rows.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools {

enum class verdict : unsigned char { undecided, faster, slower };

constexpr char const* name(verdict v) {
    constexpr char const* names[] = {"undecided", "faster", "slower"};
    return names[static_cast<unsigned char>(v)];
}

/// Criteria for a row to count as different.
struct criteria {
    double effect = 0.05; // smallest difference of the medians, relative to the shorter one; the clock must resolve it
    double alpha = 0.05;  // probability of at least one false verdict among all rows
};

/// Row that both sides have, compared.
struct comparison {
    row of;
    summary before, after;
    std::optional<double> p; // of the rank-sum test, corrected for the number of rows; none if a side has one launch
    verdict outcome = verdict::undecided;

    /// Ratio of the medians, new over old; empty if the old median is 0, because of a coarse clock.
    std::optional<double> ratio() const {
        return before.median > sonde::seconds{} ? std::optional{after.median / before.median} : std::nullopt;
    }
};

/// Compare all rows that both sides have by the medians of their launches: slower or faster if the corrected p is at
/// most alpha and the medians differ by the smallest effect.
std::vector<comparison> compare(std::vector<row> const& rows, criteria const& required);

/// Minimum number of launches per side for a verdict, if no row can have a verdict with the present number of launches,
/// whatever the times are. Empty if a row can have one, or if no row has two launches on both sides.
std::optional<std::size_t> launches_for_verdict(std::vector<comparison> const& rows, double alpha);

/// How to confirm a slower row: the commands that measure both sides again with twice the number of launches, and
/// compare all. For a log of text, words without a command.
std::vector<std::string> advice(launch_set const& before, launch_set const& after);

/// The rows as lines of text. Settings that all rows have in common are one line above the table; a row has its own
/// settings, both sides (median over launches, interval, spread within and between launches), the ratio, p and verdict.
std::vector<std::string> comparison_table(std::vector<comparison> const& rows);

} // namespace tools
