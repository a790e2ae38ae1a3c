// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace sonde::detail {

/// From the least to the largest of what is seen; `empty` before the first.
struct extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return low > high; }
    bool holds(double value) const { return low <= value && value <= high; }
};

/// The median of some values, one at least.
inline double middle_of(std::vector<double> const& ascending) {
    auto const n = ascending.size();
    return (ascending[(n - 1) / 2] + ascending[n / 2]) / 2;
}

/// A number as a label has it: with an exponent only where it is long without.
inline std::string plain(double value) {
    auto const size = std::fabs(value);
    if (value != 0 && (size < 1e-4 || size >= 1e7)) return shortest(value);
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr};
}

/// 512, 1 KiB, 32 KiB, 1 MiB.
inline std::string binary_label(double bytes) {
    constexpr char const* units[] = {"", " KiB", " MiB", " GiB", " TiB"};
    auto const* unit = units;
    for (; bytes >= 1024 && unit != units + 4; ++unit) bytes /= 1024;
    return plain(bytes) + *unit;
}

/// m 10^k as its decimal digits read: 3 10^-1 is 0.3, not 0.30000000000000004.
inline double decimal(double m, int k) { return k < 0 ? m / std::pow(10, -k) : m * std::pow(10, k); }

/// Where an axis is marked, as gnuplot reads it.
class tic_list {
public:
    void label(double at, std::string const& text) { add(gnuplot_quoted(text) + ' ' + shortest(at)); }
    void small_tic(double at) { add("'' " + shortest(at) + " 1"); }
    std::string text() const { return '(' + list_ + ')'; }

private:
    void add(std::string const& tic) { list_ += (list_.empty() ? "" : ", ") + tic; }

    std::string list_;
};

/// Powers of two, so many of them labelled at most: 1, 4, 16, ... where there are twice as many.
inline tic_list binary_tics(extent seen, int most) {
    auto const first = static_cast<int>(std::ceil(std::log2(seen.low)));
    auto const last = static_cast<int>(std::floor(std::log2(seen.high)));
    auto const step = std::max(1, (last - first) / most + 1);
    tic_list tics;
    for (int k = first; k <= last; ++k)
        if (k % step == 0) tics.label(std::exp2(k), binary_label(std::exp2(k)));
        else tics.small_tic(std::exp2(k));
    return tics;
}

/// Multiples of 1, 2 or 5 of a power of ten, about five of them: for less than an octave, where there is no decade.
inline tic_list even_tics(extent seen) {
    auto const wanted = (seen.high - seen.low) / 5;
    auto const k = static_cast<int>(std::floor(std::log10(wanted)));
    int const m = wanted <= decimal(1, k) ? 1 : wanted <= decimal(2, k) ? 2 : wanted <= decimal(5, k) ? 5 : 10;
    tic_list tics;
    for (auto n = std::ceil(seen.low / decimal(m, k)); decimal(n * m, k) <= seen.high; ++n)
        tics.label(decimal(n * m, k), fixed(decimal(n * m, k), std::max(0, -k)));
    return tics;
}

/// Powers of ten, and where there are few of them also 2 and 5 of each, labelled; the others without.
inline tic_list decade_tics(extent seen) {
    if (seen.high < 4 * seen.low) return even_tics(seen);
    auto const few = seen.high < 500 * seen.low;
    tic_list tics;
    for (int k = static_cast<int>(std::floor(std::log10(seen.low))); decimal(1, k) <= seen.high; ++k)
        for (int m = 1; m != 10; ++m) {
            auto const at = decimal(m, k);
            if (!seen.holds(at)) continue;
            if (m == 1 || (few && (m == 2 || m == 5))) tics.label(at, plain(at));
            else tics.small_tic(at);
        }
    return tics;
}

} // namespace sonde::detail
