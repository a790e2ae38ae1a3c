// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/record.hpp>
#include <sonde/stats/order_statistics.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// What the launches of one side found for a row: a median a launch is one observation.
struct observed {
    std::vector<sonde::seconds> medians;
    std::vector<sonde::seconds> spreads; // within each launch: (third - first quartile) / 1.349, sigma of a normal
    std::optional<sonde::confidence_interval> within; // of the median, within the first launch
    sonde::seconds quantum{};                         // what the clock can tell apart, of one iteration
};

/// A point that was measured, the `occurrence`-th of its name and parameters in a launch.
struct row {
    sonde::point at;
    std::size_t occurrence = 1;
    observed before, after;
};

/// "osu_latency bytes=8 datatype=MPI_CHAR", with " #2" where it is the second of that name in a launch.
std::string name_of(row const& r);

/// The records of both sides by name, parameters (in any order, without `repetitions`) and occurrence, in the order of
/// their first appearance. Every record needs a time.
std::vector<row> match(std::vector<sonde::run_file> const& before, std::vector<sonde::run_file> const& after);

} // namespace tools
