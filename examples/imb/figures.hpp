// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <sonde/record.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace imb {

// From records to what a table says: functions of numbers alone.

/// Microseconds of a repetition: of the ranks that count, of all groups.
struct times {
    double min = 0;
    double max = 0;
    double avg = 0;
};

/// What figures follow from, beside records.
struct basis {
    std::size_t bytes;
    int ranks;
    std::size_t window;
};

times times_of(std::span<outcome const> groups, double factor);

/// Bytes per microsecond in t of these; none in no time.
double bandwidth_of(benchmark const& test, basis const& about, double t);

/// t_ovrl, t_pure, t_CPU in microseconds, and the percentage.
struct overlap_figures {
    double both;
    double pure;
    double work;
    double hidden;
};
overlap_figures overlap_of(benchmark const& test, std::span<outcome const> groups);

/// A line's figures, as the columns of a layout show them; right of size and count.
std::string figures_of(benchmark const& test, columns shows, basis const& about, std::span<outcome const> groups);

} // namespace imb
