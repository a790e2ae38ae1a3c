// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "options.hpp"
#include "space.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace imb {

// The words of a table, without ends of lines' flushes: text of values alone.

/// What a head follows from.
struct heading {
    benchmark const& test;
    imb::mode mode;
    int world;
    std::vector<std::vector<int>> const& groups; // world ranks
    std::size_t row;                             // ranks of a row of -map; 0: they are not listed
    bool by_group;                               // a line a group: `-multi 1`
    bool defects;
};

/// The layout of a benchmark's table: those of one time show a range where it is over several groups.
columns layout_of(benchmark const& test, options const& asked);

/// Has the layout sizes?
bool is_sized(columns shows);

/// From the empty line above to the titles.
std::string head_of(heading const& about, columns shows);

/// An integer, or a number with two decimals, in 13 characters.
std::string cell_of(std::size_t n);
std::string cell_of(double value);

/// "# !! Benchmark PingPong invalid for 1 processes !!", with an empty line above and below.
std::string invalid_line(benchmark const& test, int processes);

/// Why a size was not measured, right of the size.
std::string failure_text(failure why, std::size_t bytes_needed, std::string const& advice);

} // namespace imb
