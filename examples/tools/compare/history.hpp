// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/compare/change_points.hpp"
#include "tools/compare/comparison.hpp"
#include "tools/text.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// Launches of a night: those of one file.
struct night {
    launch_set launches;
    std::string date{}; // of its first environment that has one: ISO 8601, UTC; otherwise empty
    std::string name{}; // the day; the date, if two nights have one day; the path, if a night has no date
};

/// First date of the environments of launches; empty if there is none.
std::string date_of(launch_set const& launches);

/// Put the nights in the order of their dates, unless a night has none, and name them.
void put_in_order(std::vector<night>& nights);

/// Read the nights of a history, in the order of their dates if all files have a date, otherwise in the order given.
/// Throws std::runtime_error, with the path, if a file cannot be read, has no record, or is a text among JSON Lines.
std::vector<night> read_nights(std::vector<std::string> const& paths);

/// Change of the level of a row.
struct level_change {
    std::size_t at = 0;                              // place in the row's course: the first night of the new level
    double p = 0;                                    // corrected for all places of changes in all rows
    sonde::seconds before, after;                    // medians of the levels, over their nights
    std::size_t nights_before = 0, nights_after = 0; // of the levels
    std::optional<ratio_range> interval{};           // 95 %, of after / before

    /// Ratio of the medians; empty if the median before is 0, because of a coarse clock.
    std::optional<double> ratio() const {
        return before > sonde::seconds{} ? std::optional{after / before} : std::nullopt;
    }
    sonde::outcome outcome() const { return after > before ? sonde::outcome::slower : sonde::outcome::faster; }
};

/// Course of a row over the nights that have it.
struct row_history {
    sonde::point at;
    std::size_t occurrence = 1;        // in a launch, among points of equal name and parameters
    std::vector<std::size_t> nights{}; // indices
    std::vector<summary> course{};     // of each of these nights
    sonde::seconds resolution{};       // the coarsest
    std::vector<level_change> changes{};
    std::vector<sonde::seconds> levels{}; // medians of the levels: one more than there are changes

    /// Ratio of the last level to the first; empty if the first is 0, because of a coarse clock.
    std::optional<double> ratio() const {
        return levels.front() > sonde::seconds{} ? std::optional{levels.back() / levels.front()} : std::nullopt;
    }
};

/// Courses of all rows, in the order of their first appearance, with the changes that are relevant: the probability of
/// a change in any row without one is at most alpha, and the levels before and after differ by the smallest effect.
/// Levels that differ by less are joined, those that differ least first.
///
/// Throws std::runtime_error if no row is in two nights.
std::vector<row_history> histories(std::vector<night> const& nights, criteria const& required);

/// True if the last level of a row is slower than an earlier one, by the smallest effect.
bool ends_slower(row_history const& row, double effect);

/// Minimum number of nights of a row in which a change can be detected; empty if some row has as many nights.
std::optional<std::size_t> nights_to_decide(std::vector<row_history> const& rows, double alpha);

} // namespace tools
