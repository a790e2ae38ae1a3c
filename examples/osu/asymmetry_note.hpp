// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace osu {

/// Which ranks were the slowest too often for chance (`sonde::stragglers`), over the rows of a program.
class asymmetry_note {
public:
    void add(sonde::record const& row);
    /// A line for each rank that was in three rows or more, and in half of all: one row may be of a tree's making.
    std::vector<std::string> lines(sonde::environment const& where) const;

private:
    std::size_t rows_ = 0;
    std::vector<std::size_t> of_rank_;
};

} // namespace osu
