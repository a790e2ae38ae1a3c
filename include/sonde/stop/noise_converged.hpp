// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/binomial.hpp>
#include <sonde/stop.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace sonde {

/// Until the noise is known: more samples will not change how much the times vary.
///
/// After each sample the noise is the standard deviation of all times over their mean; the rule stops, for the reason
/// `noise_floor`, when the last 65 to 512 values of it vary by at most `tolerance` of their mean. A way out for series
/// that will not become precise within a sensible time, used beside `relative_error`. Needs 66 samples; looks
/// as those rules do that grow by a quarter.
class noise_converged {
public:
    explicit noise_converged(double tolerance = 0.05) : tolerance_{tolerance} {}

    std::size_t next(std::size_t n) const { return n < 66 ? 66 - n : n / 4 + 1; }
    verdict operator()(look const& l) {
        for (std::size_t i = 0; i != l.block.size(); ++i) add(l.block[i].count(), l.block.size() - i <= latest);
        if (recent_.size() < 65) return {};
        double sum = 0, squares = 0;
        auto const n = static_cast<double>(recent_.size());
        for (auto const noise : recent_) sum += noise;
        for (auto const noise : recent_) squares += (noise - sum / n) * (noise - sum / n);
        auto const most = tolerance_ * sum / n;
        return {squares / (n - 1) <= most * most, stop_reason::noise_floor};
    }

    std::array<double, 1> parameters() const { return {tolerance_}; }

private:
    static constexpr std::size_t latest = 512; // values of the noise that are looked at

    /// The running mean and sum of squares are Welford's (Technometrics 4, 1962). The noise is computed where it will
    /// be looked at.
    void add(double time, bool wanted) {
        auto const delta = time - mean_;
        mean_ += delta / static_cast<double>(++count_);
        squares_ += delta * (time - mean_);
        if (!wanted || count_ < 2 || !(mean_ > 0)) return;
        auto const noise = detail::square_root(squares_ / static_cast<double>(count_ - 1)) / mean_;
        if (recent_.size() < latest) recent_.push_back(noise);
        else recent_[oldest_] = noise;
        oldest_ = (oldest_ + 1) % latest;
    }

    double tolerance_;
    std::size_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
    std::vector<double> recent_;
    std::size_t oldest_ = 0; // index of the oldest value in `recent_` once it is full
};

} // namespace sonde
