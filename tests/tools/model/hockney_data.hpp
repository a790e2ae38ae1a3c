// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fit_data.hpp"

#include <sonde/model.hpp>
#include <tools/records/model_points.hpp>

#include <cmath>
#include <vector>

namespace hockney_data {

/// Half round trips of a typical library: short messages eager, long ones by rendezvous from 16 KiB on.
inline sonde::model::piecewise_hockney const eager_rendezvous{
    {{1, {sonde::seconds{1.2e-6}, sonde::model::rate{4e9}}},
     {16384, {sonde::seconds{6e-6}, sonde::model::rate{11e9}}}}};

/// With another copy from 512 B on, and rendezvous from 32 KiB on.
inline sonde::model::piecewise_hockney const three_protocols{
    {{1, {sonde::seconds{0.9e-6}, sonde::model::rate{6e9}}},
     {512, {sonde::seconds{1.4e-6}, sonde::model::rate{5e9}}},
     {32768, {sonde::seconds{12e-6}, sonde::model::rate{12e9}}}}};

inline sonde::model::piecewise_hockney const one_protocol{{{1, {sonde::seconds{1.5e-6}, sonde::model::rate{10e9}}}}};

/// Integer sizes from one power of 2 to another, with a fixed number an octave.
inline std::vector<double> exponents(double from, double to, int of_an_octave) {
    std::vector<double> sizes;
    for (int i = 0; i <= std::lround((to - from) * of_an_octave); ++i) {
        double const size = std::floor(std::exp2(from + static_cast<double>(i) / of_an_octave));
        if (sizes.empty() || size > sizes.back()) sizes.push_back(size);
    }
    return sizes;
}

/// A model's times of these sizes, with errors.
inline std::vector<tools::model_point<sonde::model::hockney>>
measured(sonde::model::piecewise_hockney const& truth, std::vector<double> const& sizes, noise& errors) {
    std::vector<tools::model_point<sonde::model::hockney>> points;
    for (double const x : sizes) {
        sonde::model::bytes const size{x};
        points.push_back({size, sonde::seconds{errors(truth.time(size).count())}});
    }
    return points;
}

/// The same without errors.
inline std::vector<tools::model_point<sonde::model::hockney>> measured(sonde::model::piecewise_hockney const& truth,
                                                                       std::vector<double> const& sizes) {
    noise none{0};
    return measured(truth, sizes, none);
}

} // namespace hockney_data
