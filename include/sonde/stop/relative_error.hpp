// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/correlation.hpp>
#include <sonde/stop.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sonde {

namespace detail {

/// The least n_j = ceil(30 * 1.25^j) above n.
inline std::size_t look_after(std::size_t n) {
    double at = 30;
    while (at <= static_cast<double>(n)) at *= 1.25;
    return rounded_up(at);
}

} // namespace detail

class relative_error_within;

/// Until the interval of the median is narrow: half its width at most `limit` of the median, 0.02 for 2 %.
///
/// Looks at n = ceil(30 * 1.25^j), since looking often makes an interval hold less than it says; stops when
/// n >= 40 tau and the interval, corrected by the correlation time tau and no narrower than the clock can tell, is
/// within the limit (`estimate_median`). A look that is far too early, by the forecast of the one before, computes
/// nothing. Alone the rule may never stop: give it a budget, `relative_error{0.01}.within(seconds{1})`. It stops as
/// well, for the reason `samples`, where the record holds no more of them.
class relative_error {
public:
    constexpr explicit relative_error(double limit, double confidence = 0.95)
        : limit_{limit}, confidence_{confidence} {}

    std::size_t next(std::size_t n) const { return detail::look_after(n) - n; }
    verdict operator()(look const& l) {
        constexpr double cheap = 1000, early = 0.6;
        auto const n = static_cast<double>(l.samples);
        if (l.samples > l.series.size()) return {true, stop_reason::samples};
        if (detail::look_after(l.samples - l.block.size()) > l.samples) return {}; // a look between its own
        if (n > cheap && n < early * expected_) return {};
        auto const found = detail::estimate_median_up_to(l.series, confidence_, l.resolution, n / 40);
        auto const error = found.relative_error() / limit_;
        expected_ = found.between ? n * error * error : 0;
        clock_limits_ = l.resolution > 2 * limit_ * found.value;
        return {n >= 40 * found.tau && error <= 1, stop_reason::precision};
    }

    /// Samples after which the interval is expected to be narrow enough, since its width falls as their square root
    /// does: a forecast of the latest look; 0 where there was no interval yet.
    double expected() const { return expected_; }
    /// True where the clock cannot tell the median to the limit, by the latest look: no number of samples helps.
    bool clock_limits() const { return clock_limits_; }
    std::array<double, 2> parameters() const { return {limit_, confidence_}; }

    /// This rule or a budget, whichever ends first; see `relative_error_within`.
    [[nodiscard]] relative_error_within within(seconds budget) const;

private:
    double limit_;
    double confidence_;
    double expected_ = 0;
    bool clock_limits_ = false;
};

/// `relative_error` or a time on rank 0's clock, for the reason `time_budget`, whichever ends first. Two things save
/// time.
///
/// Samples that take long need not be 40: once 13 or more of them took a hundredth of the budget, the rule stops where
/// the interval is narrow enough by the upper bound of the correlation time (`correlation_time_bound`), since few
/// samples tell that time badly.
///
/// A series that cannot become precise ends early, for the reason `unreachable`: after a hundredth of the budget where
/// the clock cannot tell the median to the limit, after a tenth where three times the budget would not suffice.
class relative_error_within {
public:
    relative_error_within(relative_error precise, seconds budget) : precise_{precise}, limit_{budget} {}

    /// Looks as `relative_error` does, as the series grows by a quarter and a sample, and where the budget is expected
    /// to end.
    std::size_t next(std::size_t n) const {
        auto const x = precise_.next(n), y = n / 4 + 1, least = x < y ? x : y;
        return least < left_ ? least : left_ == 0 ? 1 : left_;
    }
    verdict operator()(look const& l) {
        left_ = samples_left(l);
        if (auto const said = precise_(l); said.stop) return said;
        if (few_are_enough(l)) return {true, stop_reason::precision};
        if (!(l.elapsed < limit_)) return {true, stop_reason::time_budget};
        return {is_hopeless(l), stop_reason::unreachable};
    }
    std::array<double, 3> parameters() const {
        auto const of = precise_.rule().parameters();
        return {of[0], of[1], limit_.count()};
    }

private:
    static constexpr std::size_t unlimited = std::numeric_limits<std::uint32_t>::max();

    std::size_t samples_left(look const& l) const {
        auto const left = static_cast<double>(l.samples) * (limit_ / l.elapsed - 1);
        if (!(left < static_cast<double>(unlimited))) return unlimited;
        return left > 0 ? static_cast<std::size_t>(left) : 0;
    }
    bool few_are_enough(look const& l) const {
        if (l.samples < 13 || l.samples >= 40 || 100 * l.elapsed < limit_) return false;
        auto const [error, confidence] = precise_.rule().parameters();
        auto const bound = [&](seconds middle) { return detail::correlation_bound_of(l.series, middle); };
        return detail::estimate_median_by(l.series, confidence, l.resolution, bound).relative_error() <= error;
    }
    bool is_hopeless(look const& l) const {
        if (precise_.rule().clock_limits() && 100 * l.elapsed > limit_) return true;
        auto const needed = l.elapsed * (precise_.rule().expected() / static_cast<double>(l.samples));
        return 10 * l.elapsed > limit_ && needed > 3 * limit_;
    }

    detail::own_looks<relative_error> precise_;
    seconds limit_;
    std::size_t left_ = unlimited; // samples that fit into the rest of the budget
};

inline relative_error_within relative_error::within(seconds budget) const { return {*this, budget}; }

} // namespace sonde
