// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/text.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>

#include <functional>
#include <optional>
#include <string>

namespace sonde {

/// A time of an iteration that a figure shows of a record, with the interval that is drawn as a band; none where the
/// record has too few samples to say.
struct estimator {
    std::string name;
    std::function<std::optional<seconds>(record const&)> time;
    std::function<std::optional<interval>(record const&)> between{}; // or none: no band
    std::string band{};                                              // what the band is
};

/// The median with its 95 % interval.
[[nodiscard]] inline estimator median_estimator() {
    auto const median = [](record const& r) {
        return sample_count(r) == 0 || !detail::has_times(r) ? std::nullopt : std::optional{typical(r)};
    };
    return {"median", median, [](record const& r) { return median_interval(r); }, "95 % interval"};
}

/// The q-quantile: "P99" for 0.99.
[[nodiscard]] inline estimator quantile_estimator(double q) {
    return {"P" + detail::shortest(100 * q), [q](record const& r) { return tail(r, q); }};
}

} // namespace sonde
