// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/race.hpp"

#include "tools/rank_sum.hpp"

#include <sonde/clock.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tools::tune {

double t_upper_tail(double t, std::size_t degrees) {
    auto const n = static_cast<double>(degrees);
    auto const angle = std::atan(t / std::sqrt(n)), sine = std::sin(angle), cosine = std::cos(angle);
    auto const is_odd = degrees % 2 == 1;
    auto term = is_odd ? cosine : 1.0, sum = degrees == 1 ? 0.0 : term;
    for (auto k = is_odd ? 3.0 : 2.0; k <= n - 2; k += 2) sum += term *= cosine * cosine * (k - 1) / k;
    auto const between = is_odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum; // P(-t < T < t)
    return std::clamp((1 - between) / 2, 0.0, 1.0);
}

namespace {

double mean_of(std::span<double const> x) {
    double sum = 0;
    for (auto const v : x) sum += v;
    return x.empty() ? 0 : sum / static_cast<double>(x.size());
}

/// Standard error of the mean of two values or more.
double error_of(std::span<double const> x, double mean, double resolution) {
    auto const n = static_cast<double>(x.size());
    double squares = 0;
    for (auto const v : x) squares += (v - mean) * (v - mean);
    return std::max(std::sqrt(squares / (n - 1)), resolution) / std::sqrt(n);
}

/// The value that Student's t exceeds with this probability, at most 0.5.
double t_quantile(double upper_tail, std::size_t degrees) {
    double low = 0, high = 1e6;
    for (auto i = 0; i != 100; ++i) {
        auto const middle = (low + high) / 2;
        (t_upper_tail(middle, degrees) > upper_tail ? low : high) = middle;
    }
    return low;
}

} // namespace

double above_zero_p(std::span<double const> x, double resolution) {
    if (x.size() < 2) return 1;
    auto const mean = mean_of(x);
    return mean > 0 ? t_upper_tail(mean / error_of(x, mean, resolution), x.size() - 1) : 1;
}

namespace {

std::vector<double> log_ratios(std::span<double const> a, std::span<double const> b) {
    std::vector<double> all;
    for (std::size_t i = 0; i != std::min(a.size(), b.size()); ++i) all.push_back(std::log(a[i] / b[i]));
    return all;
}

/// The racer with the shortest times in a row, other than `c`.
std::size_t fastest_other(std::vector<racer> const& all, std::size_t c, std::size_t row) {
    std::size_t best = 0;
    for (std::size_t i = 1; i != all.size(); ++i)
        if (i != c && all[i].is_racing && mean_log_ratio(all[i].times[row], all[best].times[row]) < 0) best = i;
    return best;
}

} // namespace

double mean_log_ratio(std::span<double const> a, std::span<double const> b) { return mean_of(log_ratios(a, b)); }

std::vector<course_point> course_of(racer const& reference, racer const& other, double resolution) {
    std::vector<double> rounds; // mean of the rows
    std::vector<course_point> course;
    for (std::size_t k = 0; k != std::min(reference.rounds(), other.rounds()); ++k) {
        std::vector<double> rows;
        for (std::size_t row = 0; row != other.times.size(); ++row)
            rows.push_back(std::log(other.times[row][k] / reference.times[row][k]));
        rounds.push_back(mean_of(rows));
        auto const mean = mean_of(rounds);
        course.push_back({std::exp(mean)});
        if (rounds.size() < rounds_before_first_look) continue;
        auto const half = t_quantile(0.025, k) * error_of(rounds, mean, resolution);
        course.back().low = std::exp(mean - half);
        course.back().high = std::exp(mean + half);
    }
    return course;
}

std::vector<dropped_racer> surely_slower(std::vector<racer> const& all, race_criteria const& criteria) {
    std::vector<dropped_racer> dropped;
    if (all.front().rounds() < rounds_before_first_look || all.size() < 2) return dropped;
    auto const looks = criteria.rounds - std::min(criteria.rounds - 1, rounds_before_first_look - 1);
    auto const spent = criteria.alpha / static_cast<double>((all.size() - 1) * looks);
    for (std::size_t c = 1; c != all.size(); ++c) {
        if (!all[c].is_racing) continue;
        double worst_p = 0, sum = 0;
        for (std::size_t row = 0; row != all[c].times.size(); ++row) {
            auto const d = log_ratios(all[c].times[row], all[fastest_other(all, c, row)].times[row]);
            worst_p = std::max(worst_p, above_zero_p(d, criteria.resolution));
            sum += mean_of(d);
        }
        if (worst_p <= spent) dropped.push_back({c, std::exp(sum / static_cast<double>(all[c].times.size()))});
    }
    return dropped;
}

std::vector<std::vector<gain>> gains_of(std::vector<racer> const& all, race_criteria const& criteria) {
    auto const rows = all.front().times.size();
    std::vector<std::vector<gain>> gains(all.size(), std::vector<gain>(rows));
    std::vector<double> p;
    for (std::size_t c = 1; c != all.size(); ++c)
        for (std::size_t row = 0; row != rows; ++row) {
            p.push_back(1);
            if (!all[c].is_racing) continue;
            auto const faster = log_ratios(all.front().times[row], all[c].times[row]);
            gains[c][row].ratio = std::exp(-mean_of(faster));
            p.back() = above_zero_p(faster, criteria.resolution);
            auto const slower = log_ratios(all[c].times[row], all.front().times[row]);
            gains[c][row].p_slower = above_zero_p(slower, criteria.resolution);
        }
    auto const corrected = holm(p);
    for (std::size_t i = 0; i != corrected.size(); ++i) gains[1 + i / rows][i % rows].p = corrected[i];
    return gains;
}

bool is_promising(gain const& g, race_criteria const& criteria) {
    return g.p <= criteria.alpha && g.ratio * (1 + criteria.effect) <= 1;
}

bool may_be_slower(gain const& g, race_criteria const& criteria) {
    return g.p_slower <= criteria.alpha && g.ratio > 1 + criteria.effect;
}

std::optional<std::size_t> best_in_row(std::vector<std::vector<gain>> const& gains, std::size_t row,
                                       std::vector<std::size_t> const& eligible, race_criteria const& criteria) {
    std::optional<std::size_t> best;
    for (auto const c : eligible)
        if (is_promising(gains[c][row], criteria) && (!best || gains[c][row].ratio < gains[*best][row].ratio)) best = c;
    return best;
}

std::optional<std::size_t> best_in_all_rows(std::vector<std::vector<gain>> const& gains,
                                            std::vector<std::size_t> const& eligible, race_criteria const& criteria) {
    std::optional<std::size_t> best;
    double lowest = 0;
    for (auto const c : eligible) {
        double sum = 0;
        auto is_faster = false, is_slower = false;
        for (auto const& g : gains[c]) {
            sum += std::log(g.ratio);
            is_faster = is_faster || is_promising(g, criteria);
            is_slower = is_slower || may_be_slower(g, criteria);
        }
        if (!is_faster || is_slower || (best && sum >= lowest)) continue;
        best = c;
        lowest = sum;
    }
    return best;
}

namespace {

/// Numbers as the functions of statistics take them.
std::vector<sonde::seconds> as_seconds(std::vector<double> const& x) { return {x.begin(), x.end()}; }

double median_of(std::vector<double> const& x) { return sonde::median(as_seconds(x)).count(); }

/// Median of the ratios before / after, with its interval by order statistics.
void add_speed_up(racer const& before, racer const& after, std::size_t row, confirmed_row& to) {
    auto ratios = log_ratios(before.times[row], after.times[row]);
    std::sort(ratios.begin(), ratios.end());
    to.speed_up = std::exp(median_of(ratios));
    auto const ranks = sonde::detail::binomial_ranks(ratios.size(), 0.5, 0.025);
    if (ranks.low < 1 || ranks.high > ratios.size()) return;
    to.low = std::exp(ratios[ranks.low - 1]);
    to.high = std::exp(ratios[ranks.high - 1]);
}

sonde::outcome outcome_of(confirmed_row const& r, race_criteria const& criteria) {
    auto const [shorter, longer] = std::minmax(r.before, r.after);
    if (r.p > criteria.alpha || longer < shorter * (1 + criteria.effect)) return sonde::outcome::undecided;
    return r.after < r.before ? sonde::outcome::faster : sonde::outcome::slower;
}

} // namespace

std::vector<confirmed_row> confirm(racer const& before, racer const& after, race_criteria const& criteria) {
    std::vector<confirmed_row> rows(before.times.size());
    std::vector<double> p;
    for (std::size_t row = 0; row != rows.size(); ++row) {
        rows[row].before = median_of(before.times[row]);
        rows[row].after = median_of(after.times[row]);
        add_speed_up(before, after, row, rows[row]);
        p.push_back(rank_sum_p(as_seconds(before.times[row]), as_seconds(after.times[row])));
    }
    auto const corrected = holm(p);
    for (std::size_t row = 0; row != rows.size(); ++row) {
        rows[row].p = corrected[row];
        rows[row].outcome = outcome_of(rows[row], criteria);
    }
    return rows;
}

std::size_t launches_to_confirm(std::size_t rows, std::size_t wanted, double alpha) {
    return std::max(wanted, launches_needed(rows, alpha));
}

} // namespace tools::tune
