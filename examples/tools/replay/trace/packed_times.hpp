// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

// Times of a trace as digits of base 64 in a fixed width: 0-9, A-Z, a-z, - and _. The first five bits of the number are
// an exponent e, the other b bits a mantissa m, and the time is m nanoseconds if e is 0, and (2^b + m) 2^(e - 1)
// nanoseconds otherwise.

namespace tools::replay {

/// Digits of a time between calls or in one, exact to 1 ns or to 1 in 16,000, of a time since a pass began, exact to
/// 1 ns or to 1 in 67 million, and of a time since MPI_Init, exact to 1 ns for six days.
constexpr int digits_of_interval = 3, digits_in_pass = 5, digits_since_init = 9;

/// A time of this many digits, at most 11; a negative one is 0, and one that is too long the longest.
std::string packed_time(double seconds, int digits);

/// Seconds of a packed time. Throws std::runtime_error for a character that is no digit.
double unpacked_time(std::string_view text);

} // namespace tools::replay
