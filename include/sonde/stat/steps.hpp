// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stat/step_contrasts.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sonde::inline v0_1 {

/// "period", "burst", "change_point" or "drift".
[[nodiscard]] inline char const* to_string(step_effect_kind kind) {
    constexpr char const* words[] = {"period", "burst", "change_point", "drift"};
    return words[static_cast<std::size_t>(kind)];
}

/// What stands out in the times of the steps of a series.
struct step_effect {
    step_effect_kind kind{};        // period, burst, change point or drift
    std::vector<std::size_t> steps; // ascending; from a change point on all steps, for a drift all steps of the series
    std::size_t period = 1;         // distance of the steps
    std::size_t series = 0;         // number of steps of the series
    seconds typical{};              // median time of the other steps, before a change point, at the start of a drift
    seconds excess{};               // time of its steps above `typical`; of a drift, of the last step
    double p = 1;                   // bound of the probability that a healthy series shows this effect, or one like it

    /// Time of its steps over the typical time; empty for a typical time that is not positive.
    std::optional<double> ratio() const {
        if (!(typical > seconds{})) return std::nullopt;
        return (typical + excess) / typical;
    }
};

/// Options of `find_step_effects`.
struct step_options {
    double false_alarms = 0.01;    // probability that any effect is reported of a healthy series
    double effect = 0.05;          // smallest excess that is reported, as a share of `step`
    std::optional<seconds> step{}; // time of a step; by default the median of the times
    seconds resolution{};          // an excess up to this time is not reported, such as the error bound of a clock
};

/// The periods, bursts, change points and drifts in the times, in seconds, of consecutive steps, which are counted from
/// 0; the effect that costs or saves the most time in all comes first. A series of fewer than 20 steps has none. Takes
/// about 20 ms for 4096 steps; longer series are allowed, but periods are at most 1024 steps. Throws
/// std::invalid_argument for a time that is not finite, and unless `false_alarms` and `effect` are at least 0 and below
/// 1.
///
/// A healthy series is stationary with a short memory: its times may have any distribution, be rounded, all be equal,
/// and depend on the times before, with an autocorrelation of up to about 0.7 from step to step. Its report names an
/// effect with at most the probability `false_alarms`.
///
/// Tests: times are replaced by their normal scores, the quantiles of the normal distribution at their ranks (van der
/// Waerden, 1952), which have no outliers; equal times get their mean score. Each effect is the linear contrast of
/// scores that has the most power for it: the sum over the steps k apart, the sum over a segment (Page's CUSUM,
/// Biometrika 41, 1954; for a burst, circular binary segmentation, Olshen and Venkatraman, Biostatistics 5, 2004), and
/// the slope. The p of the largest contrast is corrected for the number of all contrasts of its kind (Bonferroni), and
/// each kind has a quarter of the rate.
///
/// Memory: segments and slopes are tested in the residuals of an autoregressive process of order 1 (prewhitening:
/// Kulkarni and von Storch, 1995). Its coefficient is estimated after removal of the largest contrasts: from the signs
/// about the median (arcsine law: Kedem, Biometrika 67, 1980), and from the decay after outliers. The variance of a
/// contrast is that of scores with the autocorrelation that is left, raised by three standard errors (Madras and Sokal,
/// Journal of Statistical Physics 50, 1988). The variance of the contrast of a period is less than that of independent
/// scores if neighbors are alike, and is not corrected.
///
/// Of a period, at least four steps are in the series; the effects of a burst of fewer than six steps, and of a series
/// of fewer than 50, are seldom significant. A single slow step is no effect.
[[nodiscard]] std::vector<step_effect> find_step_effects(std::span<double const> times, step_options options = {});

} // namespace sonde

#if SONDE_DEFINITIONS
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sonde::inline v0_1::detail {

/// Median slope of the pairs of steps half a series apart (Theil's incomplete method, 1950).
SONDE_INLINE double median_slope(doubles const& x) {
    auto const half = (x.size() + 1) / 2;
    doubles slopes;
    for (std::size_t i = half; i < x.size(); ++i) slopes.push_back((x[i] - x[i - half]) / static_cast<double>(half));
    return middle(std::move(slopes));
}

/// The median ratio of the next time to an outlier, a time more than 8 median deviations away; 0 for fewer than three
/// outliers. Signs do not show how long a very high time lasts.
SONDE_INLINE double decay(doubles const& x) {
    doubles sizes, ratios;
    for (auto const v : x) sizes.push_back(std::fabs(v));
    auto const large = 8 * middle(sizes);
    for (std::size_t i = 1; i < x.size(); ++i)
        if (sizes[i - 1] > large) ratios.push_back(x[i] / x[i - 1]);
    return ratios.size() < 3 ? 0 : middle(std::move(ratios));
}

/// Search for the effects in a series. First the largest segments and slopes are proposed, one by one, as if scores
/// were independent; those that their memory does not explain are kept. Then periods are added.
class step_search {
public:
    step_search(std::span<double const> times, step_options const& options)
        : times_(times.begin(), times.end()), n_{times.size()}, quantiles_{normal_quantiles(n_)}, options_{options},
          limit_{std::log(options.false_alarms / kinds)} {}

    std::vector<step_effect> found() {
        propose();
        auto const x = residuals(kept_);
        phi_ = std::min(0.95, std::max(score_memory{x, masked(kept_)}.lag_one(), decay(x)));
        if (phi_ > 0) propose();
        memory_ = score_memory{whitened(residuals(kept_)), masked(kept_)};
        auto const proposed = std::exchange(kept_, {});
        for (auto const& c : proposed)
            if (log_p(c) <= limit_ && keeps_level(c, proposed)) kept_.push_back(c);
        add_periods();
        move_ends();
        std::vector<step_effect> all;
        for (std::size_t i = 0; i != kept_.size(); ++i)
            if (auto effect = effect_of(i); is_large(effect)) all.push_back(std::move(effect));
        std::stable_sort(all.begin(), all.end(),
                         [](step_effect const& a, step_effect const& b) { return total(a) > total(b); });
        return all;
    }

private:
    static constexpr double kinds = 4;

    /// The fewer steps, the fewer proposals: each takes some of the series' memory with it.
    void propose() {
        kept_.clear();
        auto const most = 1 + std::min<std::size_t>(n_ / 300, 8);
        for (std::size_t i = 0; i != most; ++i) {
            auto const x = residuals(kept_);
            auto const scores = normal_scores(whitened(x), quantiles_);
            contrast_scan const scan{scores};
            std::optional<step_contrast> best;
            for (auto const& c : {scan.slope(), scan.change(), scan.burst()})
                if (c.log_p() <= limit_ && (!best || c.criterion(n_) > best->criterion(n_))) best = c;
            if (!best) break;
            if (best->kind == step_effect_kind::drift) best->slope = median_slope(x);
            kept_.push_back(*best);
            for (auto& c : kept_) classify(c, scores);
        }
    }
    /// The times less the part that the time before predicts in an autoregressive process of order 1.
    doubles whitened(doubles const& x) const {
        auto e = x;
        for (std::size_t i = 0; i != n_; ++i) e[i] -= phi_ * x[i == 0 ? 0 : i - 1];
        return e;
    }
    bool is_change(std::size_t at) const {
        return at == n_ || std::any_of(kept_.begin(), kept_.end(), [&](step_contrast const& k) {
                   return k.kind == step_effect_kind::change_point && at + 1 >= k.first && at <= k.first + 1;
               });
    }
    /// A segment at the end is a change point; so is a segment between a change point and another place. A slow
    /// beginning is a burst.
    void classify(step_contrast& c, doubles const& scores) const {
        if (c.kind == step_effect_kind::burst) {
            if (c.first == 0) return; // a change point has steps before it
            auto const from_change = is_change(c.first);
            if (from_change == is_change(c.last)) return;
            if (from_change) c.first = c.last;
            c.kind = step_effect_kind::change_point;
            c.last = n_;
        } else if (c.kind == step_effect_kind::change_point && c.first <= n_ / 4 && &c == &kept_.back()) {
            auto const end = scores.begin() + static_cast<std::ptrdiff_t>(c.first);
            if (std::accumulate(scores.begin(), end, 0.) < 0) return;
            c.kind = step_effect_kind::burst;
            c.last = std::exchange(c.first, 0);
        }
    }
    /// False for a short segment that fades away: a single very high time whose memory is longer than it is elsewhere.
    bool keeps_level(step_contrast const& c, std::vector<step_contrast> const& proposed) const {
        auto const [first, last] =
            c.kind == step_effect_kind::burst ? std::pair{c.first, c.last} : std::pair{c.first, n_};
        constexpr std::size_t is_long = 32;
        if (c.kind == step_effect_kind::drift || last - first >= is_long) return true;
        auto x = without_drift(proposed);
        auto others = masked(proposed);
        std::fill(others.begin() + static_cast<std::ptrdiff_t>(first),
                  others.begin() + static_cast<std::ptrdiff_t>(last), true);
        auto const level = median_of(x, others, first - std::min(first, 4 * is_long), std::min(n_, last + 4 * is_long));
        std::vector<bool> const none(n_);
        auto const center = first + (last - first) / 2;
        auto const begin = median_of(x, none, first, center) - level, end = median_of(x, none, center, last) - level;
        auto const is_high = begin > 0 || c.kind != step_effect_kind::burst;
        return is_high && end * begin > 0 && std::fabs(end) >= 0.6 * std::fabs(begin);
    }
    /// Move the ends of segments to the places with the least sum of absolute deviations from both levels (Bai,
    /// Econometric Theory 11, 1995), because ranks do not tell a high time from a very high time.
    void move_ends() {
        for (auto& c : kept_)
            if (c.kind == step_effect_kind::burst) move_burst(c);
            else if (c.kind == step_effect_kind::change_point) move_change(c);
    }
    void move_burst(step_contrast& c) const {
        auto const x = deviations(kept_);
        auto const other = masked(kept_, &c);
        auto const center = c.first + c.length() / 2, reach = 4 + c.length() / 4;
        auto const level = median_of(x, other, c.first, c.last);
        auto const gain = [&](std::size_t i) { return other[i] ? 0 : std::fabs(x[i]) - std::fabs(x[i] - level); };
        c.first = lowest_place(center, c.first - std::min(c.first, reach), gain);
        double sum = 0, best = 0;
        auto const end = std::min(n_, c.last + reach);
        for (auto i = center; i != end; ++i)
            if (sum += gain(i); sum > best) best = sum, c.last = i + 1;
    }
    void move_change(step_contrast& c) const {
        constexpr std::size_t reach = 16;
        auto const x = without_drift(kept_);
        auto const mask = masked(kept_);
        auto const at = parts(kept_);
        auto const here = std::find(at.begin(), at.end(), c.first);
        auto const before = median_of(x, mask, *std::prev(here), *here),
                   after = median_of(x, mask, *here, *std::next(here));
        auto const gain = [&](std::size_t i) {
            return mask[i] ? 0 : std::fabs(x[i] - before) - std::fabs(x[i] - after);
        };
        auto const place = lowest_place(std::min(c.first + reach, *std::next(here)),
                                        std::max(c.first - std::min(c.first, reach), *std::prev(here) + 1), gain);
        if (place < *std::next(here)) c.first = place;
    }
    /// The place from which on the sum of gains up to `end` is the largest, but not below `lowest`.
    static std::size_t lowest_place(std::size_t end, std::size_t lowest, auto gain) {
        auto at = end;
        double sum = 0, best = 0;
        for (auto i = end; i-- > lowest;)
            if (sum += gain(i); sum > best) best = sum, at = i;
        return at;
    }
    void add_periods() {
        constexpr std::size_t most = 8;
        for (std::size_t i = 0; i != most; ++i) {
            auto const x = residuals(kept_);
            auto const scores = normal_scores(x, quantiles_);
            auto const best = contrast_scan{scores}.period();
            if (best.log_p() > limit_) break;
            kept_.push_back(trimmed(best, x, scores));
        }
    }
    /// The part of a period with the largest contrast, unless this is nearly the contrast of all: whole sixths are cut
    /// off. `x`: the residuals with these scores. As with segments, residuals decide where the part ends.
    step_contrast trimmed(step_contrast c, doubles const& x, doubles const& scores) const {
        doubles sums{0}, own;
        for (auto i = c.first; i < n_; i += c.period) {
            sums.push_back(sums.back() + scores[i]);
            own.push_back(x[i]);
        }
        auto const count = own.size();
        std::size_t first = 0, last = count;
        auto const z = [&](std::size_t a, std::size_t b) {
            return (sums[b] - sums[a]) / std::sqrt(static_cast<double>(b - a));
        };
        for (std::size_t a = 0; a + 4 <= count; ++a)
            for (auto b = count; b >= a + 4; --b)
                if (z(a, b) > z(first, last)) first = a, last = b;
        if (z(first, last) < 1.1 * z(0, count)) return c;
        auto const inside =
            doubles(own.begin() + static_cast<std::ptrdiff_t>(first), own.begin() + static_cast<std::ptrdiff_t>(last));
        auto const half = middle(inside) / 2;
        while (first + 1 != last && own[first] < half) ++first;
        while (first + 1 != last && own[last - 1] < half) --last;
        if (last != count) c.last = c.first + (last - 1) * c.period + 1;
        c.first += first * c.period;
        return c;
    }
    double log_p(step_contrast const& c) const {
        auto const length = c.kind == step_effect_kind::drift          ? n_
                            : c.kind == step_effect_kind::change_point ? std::min(c.first, n_ - c.first)
                                                                       : c.length();
        return c.log_p(c.kind == step_effect_kind::period ? 1 : memory_.variance(length));
    }

    /// True for the steps of bursts and periods, except those of one of them.
    std::vector<bool> masked(std::vector<step_contrast> const& effects, step_contrast const* except = nullptr) const {
        std::vector<bool> mask(n_);
        for (auto const& c : effects)
            if (&c != except && (c.kind == step_effect_kind::burst || c.kind == step_effect_kind::period))
                for (auto i = c.first; i < c.last; i += c.period) mask[i] = true;
        return mask;
    }
    /// The beginnings of the parts between change points, and the end of the series.
    std::vector<std::size_t> parts(std::vector<step_contrast> const& effects) const {
        std::vector<std::size_t> at{0, n_};
        for (auto const& c : effects)
            if (c.kind == step_effect_kind::change_point) at.push_back(c.first);
        std::sort(at.begin(), at.end());
        return at;
    }
    doubles without_drift(std::vector<step_contrast> const& effects) const {
        auto x = times_;
        for (auto const& c : effects)
            for (std::size_t i = 0; i != n_; ++i) x[i] -= c.slope * (static_cast<double>(i) - center());
        return x;
    }
    /// The distances of the times from the drift and the medians between changes, bursts and periods apart.
    doubles deviations(std::vector<step_contrast> const& effects) const {
        auto x = without_drift(effects);
        auto const mask = masked(effects);
        auto const at = parts(effects);
        for (std::size_t k = 1; k != at.size(); ++k) {
            auto const level = median_of(x, mask, at[k - 1], at[k]);
            for (auto i = at[k - 1]; i != at[k]; ++i) x[i] -= level;
        }
        return x;
    }
    /// The same, but 0 in bursts and periods.
    doubles residuals(std::vector<step_contrast> const& effects) const {
        auto x = deviations(effects);
        auto const mask = masked(effects);
        for (std::size_t i = 0; i != n_; ++i)
            if (mask[i]) x[i] = 0;
        return x;
    }
    double center() const { return static_cast<double>(n_ - 1) / 2; }

    step_effect effect_of(std::size_t i) const {
        auto const& c = kept_[i];
        step_effect e{c.kind, {}, c.period, n_, {}, {}, std::min(1., kinds * std::exp(log_p(c)))};
        for (auto k = c.first; k < c.last; k += c.period) e.steps.push_back(k);
        if (c.kind == step_effect_kind::drift) {
            e.excess = seconds{2 * c.slope * center()};
            e.typical = seconds{middle(times_)} - e.excess / 2;
        } else if (c.kind == step_effect_kind::change_point) size_change(e);
        else size_steps(e);
        return e;
    }
    void size_change(step_effect& e) const {
        auto const x = without_drift(kept_);
        auto const mask = masked(kept_);
        auto const at = parts(kept_);
        auto const here = std::find(at.begin(), at.end(), e.steps.front());
        e.typical = seconds{median_of(x, mask, *std::prev(here), *here)};
        e.excess = seconds{median_of(x, mask, *here, *std::next(here))} - e.typical;
    }
    void size_steps(step_effect& e) const {
        auto const x = deviations(kept_);
        doubles inside;
        for (auto const i : e.steps) inside.push_back(x[i]);
        e.typical = seconds{median_of(times_, masked(kept_), 0, n_)};
        e.excess = seconds{middle(std::move(inside))};
    }
    bool is_large(step_effect const& e) const {
        auto const step = options_.step ? options_.step->count() : middle(times_);
        auto const excess = std::fabs(e.excess.count());
        return excess > options_.resolution.count() && excess > 0 && excess >= options_.effect * step;
    }
    static double total(step_effect const& e) {
        auto const half = e.kind == step_effect_kind::drift ? 0.5 : 1;
        return half * std::fabs(e.excess.count()) * static_cast<double>(e.steps.size());
    }

    doubles times_;
    std::size_t n_;
    doubles quantiles_;
    step_options options_;
    double limit_;   // of the logarithm of p
    double phi_ = 0; // of the autoregressive process that segments and slopes are tested against
    std::vector<step_contrast> kept_;
    score_memory memory_{{}, {}};
};

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::vector<step_effect> find_step_effects(std::span<double const> times, step_options options) {
    detail::require_fraction(options.false_alarms, "sonde::find_step_effects: the rate of false alarms");
    detail::require_fraction(options.effect, "sonde::find_step_effects: the effect");
    for (auto const t : times)
        if (!detail::is_finite(t)) throw std::invalid_argument{"sonde::find_step_effects: a time is not finite"};
    constexpr std::size_t fewest = 20;
    if (times.size() < fewest || options.false_alarms == 0) return {};
    return detail::step_search{times, options}.found();
}

} // namespace sonde

#endif
