// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tools {

/// Message size in whole bytes, at most 1024G: "64K", "1M", "4096", "512KiB", in units of 1024. Throws
/// std::invalid_argument, with the option's name, for any other text.
std::size_t read_size(std::string const& text, std::string const& option);

/// List of message sizes in bytes, in ascending order and without duplicates, all at least `least`:
///
///     A:B      from A to B, `per_octave` sizes per doubling, evenly in the logarithm and rounded to integers; if A is
///              0, it is followed by the sizes from 1
///     A:B:S    A, A + S, A + 2 S .. up to B
///     A,B,..   the given sizes and ranges
///
/// Throws std::invalid_argument, in one line with the option's name, for any other text and for more than 10000 sizes.
std::vector<std::size_t> read_sizes(std::string const& text, std::size_t per_octave, std::size_t least = 1,
                                    std::string const& option = "--sizes");

/// Unit for values of one magnitude ("us", "GB/s", "KiB"), and the decimals that give them four digits.
struct quantity_scale {
    std::string unit;
    double factor = 1;
    int decimals = 0;

    std::string number(double value) const;
    std::string number_and_unit(double value) const;
};

/// Scale of a value in "s", "B", "B/s", "s/B", or without a unit ("").
quantity_scale scale_of(double value, std::string const& unit);

inline std::string quantity(double value, std::string const& unit) {
    return scale_of(value, unit).number_and_unit(value);
}

/// Read a quantity and convert it to `unit`: "1.5us", "10 GB/s", "512KiB" or "512K", "3e-6". A number alone is in
/// `unit`. Throws std::runtime_error, with `name`, for any other text.
double read_quantity(std::string const& text, std::string const& unit, std::string const& name);

} // namespace tools
