// SPDX-License-Identifier: BSL-1.0
#include "verdict.hpp"

#include "holm.hpp"
#include "rank_sum.hpp"

#include <algorithm>

namespace tools {

namespace {

bool can_be_tested(judged const& r) { return std::min(r.before.launches, r.after.launches) > 1; }

void test(std::vector<judged>& rows) {
    std::vector<double> p;
    for (auto const& r : rows)
        if (can_be_tested(r)) p.push_back(rank_sum_p(r.of.before.medians, r.of.after.medians));
    auto const corrected = holm(p);
    auto next = corrected.begin();
    for (auto& r : rows)
        if (can_be_tested(r)) r.p = *next++;
}

verdict verdict_on(judged const& r, limits const& asked) {
    auto const [shorter, longer] = std::minmax(r.before.median, r.after.median);
    auto const quantum = std::max(r.of.before.quantum, r.of.after.quantum);
    if (!r.p || *r.p > asked.alpha) return verdict::undecided;
    if (longer < shorter * (1 + asked.effect) || longer - shorter <= quantum) return verdict::undecided;
    return r.after.median > r.before.median ? verdict::slower : verdict::faster;
}

} // namespace

std::vector<judged> judge(std::vector<row> const& rows, limits const& asked) {
    std::vector<judged> all;
    for (auto const& r : rows)
        if (!r.before.medians.empty() && !r.after.medians.empty())
            all.push_back({r, summarize(r.before), summarize(r.after), {}, verdict::undecided});
    test(all);
    for (auto& r : all) r.outcome = verdict_on(r, asked);
    return all;
}

std::optional<std::size_t> launches_lacking(std::vector<judged> const& rows, double alpha) {
    std::size_t tested = 0;
    double smallest = 1;
    for (auto const& r : rows) {
        if (!can_be_tested(r)) continue;
        ++tested;
        smallest = std::min(smallest, smallest_p(r.before.launches, r.after.launches));
    }
    if (tested == 0 || smallest <= alpha / static_cast<double>(tested)) return std::nullopt;
    return launches_needed(tested, alpha);
}

} // namespace tools
