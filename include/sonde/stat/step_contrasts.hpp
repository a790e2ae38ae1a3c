// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

// The contrasts of normal scores by which `find_step_effects` looks for effects, and the memory of a series.

namespace sonde::inline v0_1 {

/// Kinds of what stands out in the times of steps.
enum class step_effect_kind : unsigned char {
    period,       // every k-th step is slower
    burst,        // consecutive steps are slower
    change_point, // all steps from a step on are slower or faster
    drift         // times rise or fall from step to step
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::detail {

using doubles = std::vector<double>;

/// The middle number, or the mean of the middle two; 0 for no numbers.
SONDE_INLINE double middle(doubles x) {
    if (x.empty()) return 0;
    auto const half = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    std::nth_element(x.begin(), half, x.end());
    return x.size() % 2 == 1 ? *half : (*half + *std::max_element(x.begin(), half)) / 2;
}

/// The middle of the numbers from `first` up to `last`, without those in `mask`.
SONDE_INLINE double median_of(doubles const& x, std::vector<bool> const& mask, std::size_t first, std::size_t last) {
    doubles unmasked;
    for (auto i = first; i != last; ++i)
        if (!mask[i]) unmasked.push_back(x[i]);
    return middle(std::move(unmasked));
}

/// Logarithm of the probability of a standard normal variable above z. From 5 on by its asymptotic series, since the
/// probability itself underflows.
SONDE_INLINE double log_normal_tail(double z) {
    if (z < 5) return std::log(std::erfc(z / std::sqrt(2.)) / 2);
    return -z * z / 2 - std::log(z * std::sqrt(8 * std::atan(1.))) + std::log1p(-1 / (z * z) + 3 / (z * z * z * z));
}

/// Quantiles of the standard normal distribution at (i + 1/2) / n, by Newton's method from the quantile before.
SONDE_INLINE doubles normal_quantiles(std::size_t n) {
    doubles all(n);
    double x = 0;
    for (auto i = n / 2; i != n; ++i) {
        auto const above = 1 - (static_cast<double>(i) + 0.5) / static_cast<double>(n);
        for (int k = 0; k != 8; ++k)
            x += (std::erfc(x / std::sqrt(2.)) / 2 - above) * std::sqrt(8 * std::atan(1.)) * std::exp(x * x / 2);
        all[i] = x;
        all[n - 1 - i] = -x;
    }
    return all;
}

/// The normal scores of numbers; there are as many quantiles.
SONDE_INLINE doubles normal_scores(doubles const& x, doubles const& quantiles) {
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    doubles scores(x.size());
    for (std::size_t first = 0, last = 0; first != x.size(); first = last) {
        double sum = 0;
        for (; last != x.size() && !(x[order[first]] < x[order[last]]); ++last) sum += quantiles[last];
        for (auto i = first; i != last; ++i) scores[order[i]] = sum / static_cast<double>(last - first);
    }
    return scores;
}

/// Autocorrelation of the scores of a series.
class score_memory {
public:
    /// Without the steps in `mask`.
    score_memory(doubles const& x, std::vector<bool> const& mask) : size_{x.size()} {
        auto const n = x.size();
        auto const median = median_of(x, mask, 0, n);
        std::vector<signed char> signs(n);
        for (std::size_t i = 0; i != n; ++i)
            signs[i] = static_cast<signed char>(mask[i] ? 0 : (x[i] > median) - (x[i] < median));
        auto const unequal =
            static_cast<double>(std::count_if(signs.begin(), signs.end(), [](int s) { return s != 0; }));
        for (std::size_t k = 1; k <= std::min<std::size_t>(n / 4, 500) && unequal > 0; ++k) {
            int sum = 0;
            for (std::size_t i = k; i != n; ++i) sum += signs[i] * signs[i - k];
            auto const rho = sum / unequal;
            if (rho <= 0) break;
            rho_.push_back(std::sin(2 * std::atan(1.) * rho));
        }
        bound_ = 1 + 3 * std::sqrt(2 * static_cast<double>(2 * rho_.size() + 1) / static_cast<double>(n));
    }
    /// Autocorrelation at lag 1, raised by a standard error; 0 if it is not above its standard error.
    double lag_one() const {
        auto const error = 1 / std::sqrt(static_cast<double>(size_));
        return rho_.empty() || rho_.front() <= error ? 0 : rho_.front() + error;
    }
    /// Upper bound of the variance of the sum of `length` consecutive scores over that of independent scores.
    double variance(std::size_t length) const {
        double sum = 1;
        for (std::size_t k = 1; k <= rho_.size() && k < length; ++k)
            sum += 2 * rho_[k - 1] * (1 - static_cast<double>(k) / static_cast<double>(length));
        return sum * bound_;
    }

private:
    std::size_t size_;
    doubles rho_; // at lags 1, 2 ..
    double bound_ = 1;
};

/// A contrast of scores.
struct step_contrast {
    step_effect_kind kind{};
    std::size_t first = 0, last = 0; // segment; of a period, its first step and the end of the series
    std::size_t period = 1;
    double z = 0;     // in standard deviations of independent scores
    double tests = 1; // number of contrasts of which it is the largest
    double slope = 0; // of a drift, time per step

    std::size_t length() const { return (last - first + period - 1) / period; }
    /// The first and the last step are parameters that the data choose: each costs log n (Schwarz's criterion; Yao,
    /// Statistics and Probability Letters 6, 1988).
    double criterion(std::size_t n) const {
        auto const chosen = static_cast<int>(kind == step_effect_kind::change_point) +
                            2 * static_cast<int>(kind == step_effect_kind::burst);
        return z * z - chosen * std::log(static_cast<double>(n));
    }
    /// Logarithm of the corrected p; `variance` that of the contrast over that of independent scores.
    double log_p(double variance = 1) const { return std::log(tests) + log_normal_tail(z / std::sqrt(variance)); }
};

/// The largest contrasts of a series of scores.
class contrast_scan {
public:
    explicit contrast_scan(doubles const& scores)
        : scores_{scores}, n_{scores.size()}, sums_{0}, squares_per_step_{1 / static_cast<double>(n_)} {
        for (auto const s : scores) sums_.push_back(sums_.back() + s);
    }

    step_contrast slope() const {
        auto const n = static_cast<double>(n_), center = (n - 1) / 2;
        double sum = 0;
        for (std::size_t i = 0; i != n_; ++i) sum += (static_cast<double>(i) - center) * scores_[i];
        return {step_effect_kind::drift, 0, n_, 1, std::fabs(sum) / std::sqrt(n * (n * n - 1) / 12), 2};
    }
    step_contrast change() const {
        step_contrast best{step_effect_kind::change_point, 0, n_, 1, 0, 2 * static_cast<double>(n_)};
        for (std::size_t at = 4; at + 4 <= n_; ++at)
            if (auto const z = std::fabs(z_of(at, n_)); z > best.z) best.first = at, best.z = z;
        return best;
    }
    /// Lengths grow by an eighth; the ends of the best segment are then moved one by one.
    step_contrast burst() const {
        auto const n = static_cast<double>(n_);
        step_contrast best{step_effect_kind::burst, 0, 1, 1, 0, n * n / 2};
        for (std::size_t length = 2; length + 2 <= n_; length += 1 + length / 8)
            for (std::size_t first = 0; first + length <= n_; ++first) take_if_larger(best, first, first + length);
        auto const reach = 2 + best.length() / 8;
        auto const [first, last] = std::pair{best.first, best.last};
        for (auto a = first - std::min(first, reach); a <= first + reach; ++a)
            for (auto b = last - reach; b <= std::min(last + reach, n_); ++b)
                if (a + 2 <= b && b - a < n_) take_if_larger(best, a, b);
        return best;
    }
    step_contrast period() const {
        auto const longest = std::min<std::size_t>(n_ / 4, 1024);
        step_contrast best{step_effect_kind::period, 0, n_, 1, 0, static_cast<double>(longest * (longest + 1)) / 2};
        doubles sums;
        for (std::size_t k = 2; k <= longest; ++k) {
            sums.assign(k, 0);
            for (std::size_t i = 0; i < n_; i += k)
                for (std::size_t o = 0; o != std::min(k, n_ - i); ++o) sums[o] += scores_[i + o];
            for (std::size_t o = 0; o != k; ++o)
                if (auto const z = sums[o] / deviation((n_ - o + k - 1) / k); z > best.z)
                    best.first = o, best.period = k, best.z = z;
        }
        return best;
    }

private:
    /// Standard deviation of the sum of so many independent scores out of all, which sum up to 0.
    double deviation(std::size_t length) const {
        auto const l = static_cast<double>(length);
        return std::sqrt(l * (1 - l * squares_per_step_));
    }
    double z_of(std::size_t first, std::size_t last) const {
        return (sums_[last] - sums_[first]) / deviation(last - first);
    }
    void take_if_larger(step_contrast& best, std::size_t first, std::size_t last) const {
        if (auto const z = z_of(first, last); z > best.z) best.first = first, best.last = last, best.z = z;
    }

    doubles const& scores_;
    std::size_t n_;
    doubles sums_; // of the scores before each step
    double squares_per_step_;
};

} // namespace sonde::detail

#endif
