// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model.hpp>
#include <tools/records/model_points.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

/// Measured values of a true one, with normal relative errors that depend on the seed alone.
class noise {
public:
    explicit noise(double relative, std::uint64_t seed = 1) : random_{seed}, errors_{0, relative} {}
    double operator()(double truth) { return truth * (1 + errors_(random_)); }

private:
    std::mt19937_64 random_;
    std::normal_distribution<double> errors_;
};

/// Integer sizes with a fixed number per factor of two, both ends included.
inline std::vector<sonde::model::bytes> octaves(double from, double to, int per_octave) {
    std::vector<sonde::model::bytes> sizes;
    for (int i = 0; from * std::exp2(i / double(per_octave)) < to * 1.001; ++i)
        sizes.push_back(sonde::model::bytes{std::round(from * std::exp2(i / double(per_octave)))});
    return sizes;
}

/// The model's times of these sizes, with the repetitions of the Intel MPI Benchmarks.
inline std::vector<tools::model_point<sonde::model::multi_ping_pong>>
points_of(sonde::model::multi_ping_pong const& m, std::vector<sonde::model::bytes> const& sizes) {
    std::vector<tools::model_point<sonde::model::multi_ping_pong>> points;
    for (auto const x : sizes) {
        auto const n = sonde::model::imb_repetitions(x);
        points.push_back({x, n, m.time(x, n)});
    }
    return points;
}

/// The model's times of these sizes for each of 1 to `most` pairs.
inline std::vector<tools::model_point<sonde::model::max_rate>>
points_of(sonde::model::max_rate const& m, std::vector<sonde::model::bytes> const& sizes, int most, int least = 1) {
    std::vector<tools::model_point<sonde::model::max_rate>> points;
    for (int k = least; k <= most; ++k)
        for (auto const n : sizes) points.push_back({n, double(k), m.time(n, k)});
    return points;
}

/// The same points with measurement errors.
template <class Point>
std::vector<Point> measured(std::vector<Point> points, noise& errors) {
    for (auto& p : points) p.time = sonde::seconds{errors(p.time.count())};
    return points;
}
