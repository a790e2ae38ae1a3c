// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "kind.hpp"

#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// How ranks begin a sample: all pairs together; or each pair when it is ready, after a warm-up which all began
/// together, as the Intel MPI Benchmarks do.
enum class starting : unsigned char { common, apart };

/// Iterations of a sample: as many as the clock needs, the Intel MPI Benchmarks' n(x), or a number.
struct iterations {
    enum class by_what : unsigned char { timer, imb, number } by = by_what::timer;
    std::size_t count = 0;
};

/// What `sonde-model measure` is asked.
struct measure_request {
    kind model = kind::hockney;
    std::vector<std::size_t> sizes;
    std::string out; // empty: no file
    std::optional<std::size_t> samples;
    double precision = 0.02; // without a number of samples: the interval of the median, relative; or so long a point
    sonde::seconds time{0.5};
    starting start = starting::common;
    std::optional<std::size_t> warmup;
    model::iterations iterations;
    bool every_number_of_pairs = false;
    std::size_t messages = 12; // of a parametrised round trip
    bool help = false;
};

/// Throws boost::program_options::error or std::invalid_argument, in one line.
measure_request parse_measure(std::vector<std::string> const& words);

/// What --help prints.
std::string measure_usage();

} // namespace tools::model
