// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <compare>
#include <concepts>

namespace sonde::model {

/// Value of a rate, of an end of an interval, of a cost or of a condition number that has no limit. It exceeds every
/// measured or fitted value, but is finite, so that code compiled without infinities (-ffast-math) can compute with it.
inline constexpr double unlimited = 1e200;

namespace detail {

/// 1 / x of a value from 0 to `unlimited`. 0 and `unlimited` are the reciprocals of each other.
constexpr double reciprocal_of(double x) { return x >= unlimited ? 0 : x > 1 / unlimited ? 1 / x : unlimited; }

using sonde::detail::is_finite;

} // namespace detail

/// Message size in bytes; not necessarily a whole number.
class bytes {
public:
    constexpr bytes() = default;
    constexpr bytes(std::integral auto n) : count_{static_cast<double>(n)} {}
    explicit constexpr bytes(double n) : count_{n} {}
    constexpr double count() const { return count_; }
    friend constexpr auto operator<=>(bytes, bytes) = default;

private:
    double count_ = 0;
};

/// Data rate in bytes per second.
class rate {
public:
    constexpr rate() = default;
    explicit constexpr rate(double bytes_per_second) : count_{bytes_per_second} {}
    constexpr double count() const { return count_; }
    friend constexpr auto operator<=>(rate, rate) = default;

private:
    double count_ = 0;
};

constexpr bytes operator*(double factor, bytes b) { return bytes{factor * b.count()}; }
constexpr rate operator*(double factor, rate r) { return rate{factor * r.count()}; }
constexpr bytes operator*(rate r, seconds t) { return bytes{r.count() * t.count()}; }
constexpr double operator/(bytes a, bytes b) { return a.count() / b.count(); }
constexpr double operator/(rate a, rate b) { return a.count() / b.count(); }
constexpr rate operator/(bytes b, seconds t) { return rate{b.count() / t.count()}; }
constexpr seconds operator/(bytes b, rate r) { return seconds{b.count() / r.count()}; }

} // namespace sonde::model
