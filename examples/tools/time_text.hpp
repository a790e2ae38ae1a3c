// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/text.hpp>
#include <sonde/time.hpp>

#include <cmath>
#include <string>

namespace tools {

/// A unit, and the decimals with which one time has four digits in it.
struct time_scale {
    char const* unit = "s";
    double per_second = 1;
    int decimals = 3;

    explicit time_scale(sonde::seconds typical) {
        constexpr char const* smaller[] = {"ms", "us", "ns"};
        for (auto const* const next : smaller) {
            if (!(typical.count() * per_second < 1)) break;
            unit = next;
            per_second *= 1000;
        }
        for (auto left = typical.count() * per_second; left >= 10 && decimals > 0; left /= 10) --decimals;
    }

    std::string number(sonde::seconds t) const { return sonde::detail::fixed(t.count() * per_second, decimals); }
};

inline std::string percent(double part, int decimals = 1) { return sonde::detail::fixed(100 * part, decimals) + " %"; }

} // namespace tools
