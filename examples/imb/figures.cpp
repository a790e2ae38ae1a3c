// SPDX-License-Identifier: BSL-1.0
#include "figures.hpp"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

namespace imb {

namespace {

double microseconds(sonde::seconds t) { return t.count() * 1e6; }

std::string cell(double value, int decimals) {
    char text[64]{};
    std::snprintf(text, sizeof text, "%13.*f", decimals, value);
    return text;
}

std::string cells(std::initializer_list<double> values) {
    std::string line;
    for (auto const v : values) line += cell(v, 2);
    return line;
}

/// The largest over groups of what one record of each says of its slowest rank.
template <class Of>
double slowest(std::span<outcome const> groups, Of of) {
    double most = 0;
    for (auto const& g : groups) most = std::max(most, microseconds(of(g).over_ranks.max));
    return most;
}

sonde::record const& pure(outcome const& g) { return g.pure; }
sonde::record const& both(outcome const& g) { return g.overlap.value(); }
sonde::record const& work_of(outcome const& g) { return g.work.value(); }

/// The three times of the rank that is slowest with both.
overlap_figures of_slowest_rank(std::span<outcome const> groups) {
    overlap_figures found{-1, 0, 0, 0};
    for (auto const& g : groups)
        for (std::size_t r = 0; r != both(g).rank_means.size(); ++r)
            if (auto const t = microseconds(both(g).rank_means[r]); t > found.both)
                found = {t, microseconds(g.pure.rank_means.at(r)), microseconds(work_of(g).rank_means.at(r)), 0};
    return found;
}

std::string rate_cells(benchmark const& test, basis const& about, double t) {
    auto const messages = test.bandwidth_factor * static_cast<double>(about.window) * (about.ranks / 2);
    auto const rate = t > 0 ? messages * 1e6 / t : 0;
    return cell(rate * static_cast<double>(about.bytes) / 1e6, 2) + cell(rate, 0);
}

std::string overlap_cells(benchmark const& test, std::span<outcome const> groups) {
    auto const found = overlap_of(test, groups);
    return cells({found.both, found.pure, found.work, found.hidden});
}

} // namespace

times times_of(std::span<outcome const> groups, double factor) {
    times found{-1, 0, 0};
    double ranks = 0;
    for (auto const& [r, overlap, work] : groups) {
        if (r.initiators == 0) continue;
        auto const least = microseconds(r.over_ranks.min) * factor;
        found.min = ranks == 0 ? least : std::min(found.min, least);
        found.max = std::max(found.max, microseconds(r.over_ranks.max) * factor);
        found.avg += microseconds(r.over_ranks.mean) * factor * r.initiators;
        ranks += r.initiators;
    }
    return ranks == 0 ? times{} : times{found.min, found.max, found.avg / ranks};
}

double bandwidth_of(benchmark const& test, basis const& about, double t) {
    auto const factor = test.bandwidth_factor * (test.to_all_others ? about.ranks - 1 : 1);
    return t > 0 ? factor * static_cast<double>(about.bytes) / t : 0;
}

overlap_figures overlap_of(benchmark const& test, std::span<outcome const> groups) {
    auto const of_one = test.overlap_of == hidden_of::larger;
    auto found = of_one ? of_slowest_rank(groups)
                        : overlap_figures{slowest(groups, both), slowest(groups, pure), slowest(groups, work_of), 0};
    auto const whole = of_one ? std::max(found.pure, found.work) : std::min(found.pure, found.work);
    if (whole > 0) found.hidden = 100 * std::clamp((found.pure + found.work - found.both) / whole, 0.0, 1.0);
    return found;
}

std::string figures_of(benchmark const& test, columns shows, basis const& about, std::span<outcome const> groups) {
    auto const [min, max, avg] = times_of(groups, test.time_factor);
    switch (shows) {
    case columns::time_bandwidth:
        return cells({max, bandwidth_of(test, about, max)});
    case columns::rate:
        return rate_cells(test, about, max);
    case columns::range_bandwidth:
        return cells({min, max, avg, bandwidth_of(test, about, max)});
    case columns::range:
    case columns::sync:
        return cells({min, max, avg});
    case columns::sync_overlap:
    case columns::overlap:
        return overlap_cells(test, groups);
    case columns::passive_overlap:
        break;
    }
    return cells({max, slowest(groups, both)});
}

} // namespace imb
