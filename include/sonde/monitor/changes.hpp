// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/monitor/pages.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// A scope of a rank that became slower, and stays so.
struct scope_change {
    int rank = 0;              // of the process
    std::string scope;         // name, after those of the enclosing scopes
    seconds before{};          // median time of a pass in an interval, before the change
    seconds after{};           // since the change
    std::size_t intervals = 0; // since the change
};

/// Watches the mean time of a pass in each interval, for each scope of each rank, and reports each change for the worse
/// once. A scope that becomes as much faster again can be reported anew.
///
/// Every six intervals, a series whose last times are high or low is searched for a change point (`find_step_effects`)
/// with so small a rate of false alarms that all searches in an hour together have at most the rate that is stated. A
/// search needs 50 intervals. A change of 30 % in a scatter of 2 % is mostly found 12 to 30 intervals after it; among a
/// thousand series, soon after the start, after 26 to 80.
class change_watch {
public:
    /// `false_alarms`: expected number in an hour of all scopes that are healthy, as `find_step_effects` defines it.
    /// `change`: smallest share by which the time of a pass grows.
    change_watch(seconds interval, double false_alarms, double change)
        : interval_{interval}, false_alarms_{false_alarms}, change_{change} {}

    /// Call it once in each interval. Returns the changes to report.
    std::vector<scope_change> update(std::vector<rank_counters> const& ranks);
    /// The last change of a scope, over the ranks the largest: time after it over time before it; 1 for no change.
    double ratio(std::string const& scope) const;

private:
    static constexpr std::size_t most_intervals = 240, intervals_between = 6;

    struct series {
        std::uint64_t passes = 0; // at the last update
        seconds time{};
        std::vector<double> means{}; // of the last intervals with a pass
        std::size_t unsearched = 0;  // of these, since the last search
        double ratio = 1;
    };

    void add(series& s, scope_counters const& now) const;
    /// True if the last times are so high or so low that a search is worth its time.
    bool is_suspect(series const& s) const;
    bool search(series& s, scope_change& found) const;

    seconds interval_;
    double false_alarms_;
    double change_;
    std::map<std::pair<int, std::string>, series> all_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stat/steps.hpp>

#include <algorithm>
#include <span>

namespace sonde::inline v0_1 {

SONDE_INLINE void change_watch::add(series& s, scope_counters const& now) const {
    if (now.passes > s.passes) {
        if (s.means.size() == most_intervals) s.means.erase(s.means.begin());
        s.means.push_back((now.time - s.time).count() / static_cast<double>(now.passes - s.passes));
        ++s.unsearched;
    }
    s.passes = now.passes;
    s.time = now.time;
}

SONDE_INLINE bool change_watch::is_suspect(series const& s) const {
    auto const n = s.means.size();
    if (n < 50) return false;
    auto const last = std::span{s.means}.last(intervals_between);
    auto const low = detail::middle({s.means.begin(), s.means.begin() + static_cast<std::ptrdiff_t>(n / 3)});
    auto const high = detail::middle({last.begin(), last.end()});
    return high > (1 + change_ / 2) * low || low > (1 + change_ / 2) * high;
}

SONDE_INLINE bool change_watch::search(series& s, scope_change& found) const {
    auto const searches = seconds{3600} / interval_ / static_cast<double>(intervals_between);
    auto const alarms = false_alarms_ / searches / static_cast<double>(all_.size());
    auto const effects = find_step_effects(s.means, {.false_alarms = std::min(alarms, 0.01), .effect = 0});
    step_effect const* last = nullptr;
    for (auto const& e : effects)
        if (e.kind == step_effect_kind::change_point && (last == nullptr || e.steps.front() > last->steps.front()))
            last = &e;
    if (last == nullptr || !last->ratio()) return false;
    auto const ratio = *last->ratio();
    if (ratio < 1 + change_ && ratio * (1 + change_) > 1) return false;
    found.before = last->typical;
    found.after = last->typical + last->excess;
    found.intervals = last->steps.size();
    s.ratio = ratio < 1 ? 1 : ratio;
    s.means.erase(s.means.begin(), s.means.end() - static_cast<std::ptrdiff_t>(found.intervals));
    return ratio > 1;
}

SONDE_INLINE std::vector<scope_change> change_watch::update(std::vector<rank_counters> const& ranks) {
    std::vector<scope_change> told;
    for (auto const& r : ranks)
        for (auto const& scope : r.scopes) {
            auto& s = all_[{r.rank, scope.name}];
            add(s, scope);
            if (s.unsearched < intervals_between) continue;
            s.unsearched = 0;
            scope_change found{.rank = r.rank, .scope = scope.name};
            if (is_suspect(s) && search(s, found)) told.push_back(std::move(found));
        }
    return told;
}

SONDE_INLINE double change_watch::ratio(std::string const& scope) const {
    double largest = 1;
    for (auto const& [key, s] : all_)
        if (key.second == scope) largest = std::max(largest, s.ratio);
    return largest;
}

} // namespace sonde

#endif
