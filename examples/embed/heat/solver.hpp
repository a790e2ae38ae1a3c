// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "decomposition.hpp"
#include "field.hpp"
#include "steps.hpp"

namespace heat {

/// Weights of the differences between a cell and its neighbors in a time step.
struct weights {
    double beside;
    double above;
};

inline weights weights_of(grid const& g, double time_step) {
    return {time_step / (g.width() * g.width()), time_step / (g.height() * g.height())};
}

/// The initial temperatures of a section of the grid.
inline void heat_up(field& u, grid const& whole, section rows, section columns) {
    for (int i = 1; i <= u.rows(); ++i)
        for (int j = 1; j <= u.columns(); ++j)
            *u.cell(i, j) = initial_temperature((columns.first + j) * whole.width(), (rows.first + i) * whole.height());
}

/// One time step of every cell of u, whose ghosts are up to date, into `next`.
inline void diffuse(field const& u, field& next, weights w) {
    for (int i = 1; i <= u.rows(); ++i) {
        auto const *above = u.cell(i - 1, 0), *here = u.cell(i, 0), *below = u.cell(i + 1, 0);
        auto* const to = next.cell(i, 0);
        for (int j = 1; j <= u.columns(); ++j)
            to[j] = here[j] + w.beside * (here[j - 1] - 2 * here[j] + here[j + 1]) +
                    w.above * (above[j] - 2 * here[j] + below[j]);
    }
}

/// Time steps, each after an exchange: `halo.exchange(u)`.
template <class Halo>
void advance(field& u, field& next, weights w, int steps, Halo& halo, step_scopes& scopes) {
    for (; steps != 0; --steps) {
        scopes.exchange([&] { halo.exchange(u); });
        scopes.diffuse([&] { diffuse(u, next, w); });
        u.swap(next);
    }
}

} // namespace heat
