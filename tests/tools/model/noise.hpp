// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <random>

/// Measured values of a true one, with normal relative errors that depend on the seed alone.
class noise {
public:
    explicit noise(double relative, std::uint64_t seed = 1) : random_{seed}, errors_{0, relative} {}
    double operator()(double truth) { return truth * (1 + errors_(random_)); }

private:
    std::mt19937_64 random_;
    std::normal_distribution<double> errors_;
};
