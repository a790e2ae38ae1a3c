// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>

namespace heat {

/// Cells of the unit square between its walls, which are kept at temperature 0.
struct grid {
    int rows = 768;
    int columns = 1024;

    double height() const { return 1.0 / (rows + 1); }
    double width() const { return 1.0 / (columns + 1); }
};

/// The diffusion equation u_t = u_xx + u_yy with explicit Euler steps and central differences is stable for time steps
/// up to this (the amplification of the shortest waves, von Neumann's criterion).
inline double stable_time_step(grid const& g) {
    return 0.5 / (1 / (g.width() * g.width()) + 1 / (g.height() * g.height()));
}

/// The temperature at the start: a hot spot, off center so that no symmetry can hide an error, above a slope.
inline double initial_temperature(double x, double y) {
    return std::exp(-20 * ((x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6))) + 0.2 * x * (1 - y);
}

} // namespace heat
