// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace tools::model {

/// A unit in which a value is read easily ("us", "GB/s", "KiB"), and the decimals that give it four digits.
struct quantity_scale {
    std::string unit;
    double factor = 1;
    int decimals = 0;

    std::string number(double value) const;
    /// With its unit.
    std::string text(double value) const;
};

/// For a value in "s", "B", "B/s", "s/B", or a number (empty).
quantity_scale scale_of(double value, std::string const& unit);

inline std::string quantity(double value, std::string const& unit) { return scale_of(value, unit).text(value); }

/// "1.5us", "10 GB/s", "512KiB" or "512K", "3e-6" (in the unit asked for). Throws std::runtime_error, with `name`, for
/// what is none.
double read_quantity(std::string const& text, std::string const& unit, std::string const& name);

} // namespace tools::model
