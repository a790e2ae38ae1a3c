// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/global_time.hpp>
#include <sonde/clocks/offset.hpp>
#include <sonde/time.hpp>

#include <vector>

namespace sonde {

/// The line through offsets that has the least squares, each offset weighed by the inverse square of its error.
///
/// Where each offset is wrong by no more than it says and clocks run evenly, the line is wrong by at most the weighted
/// mean of the errors at the weighted mean of the times, and leaves the truth by at most sum w |t - mean| error / sum w
/// (t - mean)^2 seconds a second: a line of least squares is a sum of offsets with weights that leave an exact line as
/// it is. Times of the offsets count from `origin`. At least one offset.
[[nodiscard]] inline global_time fit_drift(std::vector<clock_offset> const& offsets, seconds origin) {
    double weights = 0, mean_at = 0, mean_value = 0, error = 0;
    auto const weight = [](clock_offset const& o) { return 1 / (o.error.count() * o.error.count()); };
    for (auto const& o : offsets) {
        weights += weight(o);
        mean_at += weight(o) * o.at.count();
        mean_value += weight(o) * o.value.count();
        error += weight(o) * o.error.count();
    }
    mean_at /= weights;
    mean_value /= weights;
    double spread = 0, together = 0, astray = 0;
    for (auto const& o : offsets) {
        auto const apart = o.at.count() - mean_at;
        spread += weight(o) * apart * apart;
        together += weight(o) * apart * (o.value.count() - mean_value);
        astray += weight(o) * (apart < 0 ? -apart : apart) * o.error.count();
    }
    auto const slope = spread > 0 ? together / spread : 0;
    auto const worst = largest_drift + (slope < 0 ? -slope : slope);
    auto const growth = spread > 0 && astray / spread < worst ? astray / spread : worst;
    global_time line{origin, slope, seconds{mean_value - slope * mean_at}, seconds{error / weights},
                     growth / (1 + slope)};
    line.from = line.to = line.at(origin + seconds{mean_at});
    return line;
}

} // namespace sonde
