// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <cmath>

namespace imb {

// How contents are compared.

/// f(T{}) with the type of the elements.
template <class F>
decltype(auto) with_element(element kind, F f) {
    switch (kind) {
    case element::character:
        return f(char{});
    case element::integer:
        return f(int{});
    case element::real:
        return f(float{});
    case element::double_real:
        return f(double{});
    case element::byte:
        break;
    }
    return f(static_cast<unsigned char>(0));
}

/// Relative; anything above 0.01, or that is no number, is 1.
inline double deviation(double expected, double actual) {
    auto const relative = std::abs(actual - expected) / std::abs(expected);
    return relative <= 0.01 ? relative : 1;
}

} // namespace imb
