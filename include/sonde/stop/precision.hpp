// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stop.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sonde::inline v0_1 {

class relative_error_within;

/// Stop when the relative error of the median is small: half the width of its confidence interval is at most `limit`
/// of the median (0.02: 2 %).
///
/// Evaluated only at n = ceil(30 * 1.25^j) samples, since frequent evaluation lowers the coverage of the interval, and
/// when a time budget ends the series. Stops if n >= 40 tau, tau the autocorrelation time, and the interval
/// (`estimate_median`) is within the limit. Without another rule it may never stop, so give it a budget:
/// `relative_error{0.01}.within(seconds{1})`. It also stops, for the reason `samples`, when the record holds no more
/// samples.
class relative_error {
public:
    /// Throws std::invalid_argument unless 0 <= limit < 1 and 0 < confidence < 1.
    explicit relative_error(double limit, double confidence = 0.95) : limit_{limit}, confidence_{confidence} {
        detail::require_fraction(limit, "sonde::relative_error: the limit");
        detail::require_confidence(confidence, "sonde::relative_error");
    }

    std::size_t next(std::size_t n) const { return next_evaluation(n) - n; }
    decision operator()(progress const& p) {
        constexpr double cheap = 1000, early = 0.6, outdated = 4;
        auto const n = static_cast<double>(p.samples);
        if (p.samples > p.series.size()) return {true, stop_reason::samples};
        if (next_evaluation(p.samples - p.block.size()) > p.samples) return {}; // between two evaluations
        if (n > cheap && n < early * samples_needed_ && n < outdated * forecast_at_) return {}; // far too early
        auto const found = estimate(p);
        samples_needed_ = found.interval ? samples_needed(found, n) : 0;
        forecast_at_ = n;
        resolution_limited_ = p.resolution > 2 * limit_ * found.value;
        return {is_met(found, p.samples), stop_reason::precision};
    }
    /// The decision when a time budget ends the series between two evaluations.
    decision at_end(progress const& p) const {
        if (p.series.empty() || p.samples > p.series.size()) return {};
        return {is_met(estimate(p), p.samples), stop_reason::precision};
    }

    std::array<double, 2> parameters() const { return {limit_, confidence_}; }

    /// This rule or a budget, whichever stops first; see `relative_error_within`.
    [[nodiscard]] relative_error_within within(seconds budget) const;

private:
    friend class relative_error_within;

    /// The smallest n_j = ceil(30 * 1.25^j) above n.
    static std::size_t next_evaluation(std::size_t n) {
        double at = 30;
        while (at <= static_cast<double>(n)) at *= 1.25;
        return detail::rounded_up(at);
    }

    median_estimate estimate(progress const& p) const {
        auto const enough = static_cast<double>(p.samples) / 40;
        auto const tau = [&](seconds median) { return detail::sum_autocorrelation(p.series, median, enough).time; };
        return detail::estimate_median_by(p.series, confidence_, p.resolution, tau);
    }
    /// Half the width of the interval is at most `limit` of the median.
    bool is_narrow(median_estimate const& found) const {
        return found.interval && found.value > seconds{} &&
               found.interval->high - found.interval->low <= 2 * limit_ * found.value;
    }
    bool is_met(median_estimate const& found, std::size_t n) const {
        return static_cast<double>(n) >= 40 * found.tau && is_narrow(found);
    }
    /// Forecast of the number of samples that make the interval narrow enough: its width falls as their square root.
    double samples_needed(median_estimate const& found, double n) const {
        constexpr double most = 1e18;
        auto const width = found.interval->high - found.interval->low, wanted = 2 * limit_ * found.value;
        if (!(width < 1e9 * wanted)) return most;
        return n * (width / wanted) * (width / wanted);
    }

    double limit_;
    double confidence_;
    // By the latest evaluation:
    double samples_needed_ = 0;       // forecast of the number that makes the interval narrow enough; 0 without one
    double forecast_at_ = 0;          // number of samples of this forecast
    bool resolution_limited_ = false; // the resolution of the clock is too coarse for the limit
};

/// `relative_error` or a time budget on rank 0's clock (reason `time_budget`, or `precision` if it is reached at the
/// end of the budget), whichever stops first, with two shortcuts.
///
/// Slow samples: once 13 or more samples took a hundredth of the budget, fewer than 40 suffice if the interval is
/// narrow enough by the upper bound of the autocorrelation time (`autocorrelation_time_bound`).
///
/// Unreachable precision ends the series early, for the reason `unreachable`: after a hundredth of the budget if the
/// resolution of the clock is too coarse for the limit; after a tenth if three times the budget would not suffice, and
/// if a second forecast agrees, which is made from twice as many samples, by the time that the second half of them
/// took. A disturbance that is over therefore does not end the series, though its samples were long and unequal.
class relative_error_within {
public:
    /// Throws std::invalid_argument for a budget that is negative or not finite.
    relative_error_within(relative_error precise, seconds budget)
        : precise_{precise}, budget_{detail::require_budget(budget, "sonde::relative_error::within")} {}

    /// Evaluated when `relative_error` is, each time the series has grown by a quarter and one sample, and at the
    /// expected end of the budget.
    std::size_t next(std::size_t n) const {
        auto const a = precise_.next(n), b = n / 4 + 1, least = a < b ? a : b;
        return least < left_ ? least : left_ == 0 ? 1 : left_;
    }
    decision operator()(progress const& p) {
        left_ = samples_left(p);
        if (auto const made = precise_(p); made.stop) return made;
        if (few_suffice(p)) return {true, stop_reason::precision};
        if (!(p.elapsed < budget_))
            return {true, precise_.at_end(p).stop ? stop_reason::precision : stop_reason::time_budget};
        return {is_unreachable(p), stop_reason::unreachable};
    }
    /// The decision at the end of the series: whether the precision is reached.
    decision at_end(progress const& p) const { return precise_.at_end(p); }
    std::array<double, 3> parameters() const {
        return {precise_.rule().limit_, precise_.rule().confidence_, budget_.count()};
    }

private:
    static constexpr std::size_t unlimited = std::numeric_limits<std::uint32_t>::max();

    std::size_t samples_left(progress const& p) const {
        if (!(p.elapsed < budget_)) return 0;
        auto const time = static_cast<double>(p.samples) * (budget_ - p.elapsed);
        if (!(time < static_cast<double>(unlimited) * p.elapsed)) return unlimited;
        return static_cast<std::size_t>(time / p.elapsed);
    }
    bool few_suffice(progress const& p) const {
        if (p.samples < 13 || p.samples >= 40 || 100 * p.elapsed < budget_) return false;
        auto const& rule = precise_.rule();
        if (detail::is_shorter_than_memory(p.series)) return false; // then the record has no interval
        auto const bound = [&](seconds) { return autocorrelation_time_bound(p.series); };
        return rule.is_narrow(detail::estimate_median_by(p.series, rule.confidence_, p.resolution, bound));
    }
    bool is_unreachable(progress const& p) {
        if (precise_.rule().resolution_limited_ && 100 * p.elapsed > budget_) return true;
        if (10 * p.elapsed <= budget_ || p.samples < 2 * doubted_at_.samples || p.samples == 0) return false;
        auto const since = static_cast<double>(p.samples - doubted_at_.samples);
        auto const needed = (p.elapsed - doubted_at_.elapsed) * (precise_.rule().samples_needed_ / since);
        auto const doubtful = needed > 3 * budget_, confirmed = doubtful && doubted_at_.samples != 0;
        doubted_at_ = doubtful ? moment{p.samples, p.elapsed} : moment{};
        return confirmed;
    }

    struct moment {
        std::size_t samples = 0;
        seconds elapsed{};
    };

    detail::scheduled_rule<relative_error> precise_;
    seconds budget_;
    moment doubted_at_; // of the first forecast that the precision is out of reach; no samples without such a forecast
    std::size_t left_ = unlimited; // samples that fit into the rest of the budget
};

inline relative_error_within relative_error::within(seconds budget) const { return {*this, budget}; }

/// Stop when the noise has converged (reason `noise_floor`): more samples will not change the variation of the times.
///
/// After each sample the noise is the coefficient of variation of all times, their standard deviation over their mean.
/// The rule stops when the standard deviation of its last 65 to 512 values is at most `tolerance` of their mean.
/// Evaluated at 66 samples, and each time the series has grown by a quarter and one sample.
class noise_converged {
public:
    /// Throws std::invalid_argument unless 0 <= tolerance < 1.
    explicit noise_converged(double tolerance = 0.05) : tolerance_{tolerance} {
        detail::require_fraction(tolerance, "sonde::noise_converged: the tolerance");
    }

    std::size_t next(std::size_t n) const { return n < 66 ? 66 - n : n / 4 + 1; }
    decision operator()(progress const& p) {
        for (std::size_t i = 0; i != p.block.size(); ++i) add(p.block[i].count(), p.block.size() - i <= max_values);
        if (recent_.size() < 65) return {};
        double sum = 0, squares = 0;
        auto const n = static_cast<double>(recent_.size());
        for (auto const noise : recent_) sum += noise;
        for (auto const noise : recent_) squares += (noise - sum / n) * (noise - sum / n);
        auto const max_deviation = tolerance_ * sum / n;
        return {squares / (n - 1) <= max_deviation * max_deviation, stop_reason::noise_floor};
    }

    std::array<double, 1> parameters() const { return {tolerance_}; }

private:
    static constexpr std::size_t max_values = 512; // latest values of the noise

    /// Running mean and sum of squares by Welford (Technometrics 4, 1962).
    void add(double time, bool is_recent) {
        auto const delta = time - mean_;
        mean_ += delta / static_cast<double>(++count_);
        squares_ += delta * (time - mean_);
        if (!is_recent || count_ < 2 || !(mean_ > 0)) return;
        auto const noise = detail::square_root(squares_ / static_cast<double>(count_ - 1)) / mean_;
        if (recent_.size() < max_values) recent_.push_back(noise);
        else recent_[oldest_] = noise;
        oldest_ = (oldest_ + 1) % max_values;
    }

    double tolerance_;
    std::size_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
    std::vector<double> recent_;
    std::size_t oldest_ = 0; // index of the oldest value in `recent_` once it is full
};

} // namespace sonde
