// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/models.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// Start of a sample on several pairs: common to all pairs; or apart, each pair when it is ready, after a warm-up that
/// all pairs begin together, as in the Intel MPI Benchmarks.
enum class pair_start : unsigned char { common, apart };

/// Iterations of a sample: chosen for the clock's resolution, n(x) of the Intel MPI Benchmarks, or a fixed number.
struct batch_size {
    enum class source : unsigned char { timer, imb, fixed } by = source::timer;
    std::size_t iterations = 0; // if fixed
};

/// Command line of `sonde-model measure`.
struct measure_options {
    model_kind model = model_kind::hockney;
    std::vector<std::size_t> sizes;
    std::string out;                    // empty: no file
    std::optional<std::size_t> samples; // without a number, precision and time end a point
    double precision = 0.02;            // half the median's 95 % interval, relative to the median
    sonde::seconds time{0.5};           // of a point
    pair_start start = pair_start::common;
    std::optional<std::size_t> warmup; // iterations
    batch_size batch;
    bool all_pair_counts = false; // max-rate: 1, 2, 3 .. pairs instead of 1, 2, 4 ..
    std::size_t messages = 12;    // of a parametrized round trip
    bool help = false;
};

/// Throws boost::program_options::error or std::invalid_argument, in one line.
measure_options parse_measure(std::vector<std::string> const& words);

/// Text of --help.
std::string measure_usage();

} // namespace tools::model
