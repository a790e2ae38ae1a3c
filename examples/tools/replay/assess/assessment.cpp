// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/assessment.hpp"

#include <algorithm>

namespace tools::replay {

std::vector<measured_alternative const*> best_of_conditions(assessment const& a) {
    std::vector<measured_alternative const*> found;
    for (auto const& one : a.alternatives) {
        if (one.outcome != sonde::outcome::faster || !one.interval) continue;
        auto const same = std::find_if(found.begin(), found.end(),
                                       [&](auto const* other) { return other->condition == one.condition; });
        if (same == found.end()) found.push_back(&one);
        else if (one.speedup > (*same)->speedup) *same = &one;
    }
    std::stable_sort(found.begin(), found.end(), [](auto const* one, auto const* other) {
        auto const is_free = one->condition.empty();
        return is_free != other->condition.empty() ? is_free : one->speedup > other->speedup;
    });
    return found;
}

measured_alternative const* best_of(assessment const& a) {
    auto const found = best_of_conditions(a);
    return found.empty() ? nullptr : found.front();
}

double library_seconds(assessment const& a) { return std::min(a.median_seconds, a.alone_seconds); }
double waiting_seconds(assessment const& a) { return a.median_seconds - library_seconds(a); }

double efficiency(assessment const& a) {
    auto const* const best = best_of(a);
    return best == nullptr ? 1 : 1 / best->speedup;
}

std::optional<double> bound_efficiency(assessment const& a) {
    if (!a.bound_seconds || a.alone_seconds <= 0) return std::nullopt;
    return *a.bound_seconds / a.alone_seconds;
}

winnable can_be_won(assessment const& a) {
    auto const* const best = best_of(a);
    if (best == nullptr) return {};
    auto const all = a.times * library_seconds(a);
    auto const saved = [&](double speedup) { return all * (1 - 1 / speedup); };
    return {saved(best->speedup), saved(best->interval->low), saved(best->interval->high)};
}

void rank_by_gain(std::vector<assessment>& all) {
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) {
        auto const more = can_be_won(a).seconds, less = can_be_won(b).seconds;
        return more != less ? more > less : a.total_seconds > b.total_seconds;
    });
}

} // namespace tools::replay
