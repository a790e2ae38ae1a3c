// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "options.hpp"

#include <vector>

namespace imb {

// Which processes run a benchmark: functions of numbers alone.

/// The numbers of processes that a benchmark runs with, one after the other, in a world of so many: npmin, doubled, and
/// the world at last; those that can only be pairs have one. A number below `least_processes` is too few.
std::vector<int> process_series(family kind, bool io, int world, int npmin);

/// How many processes a benchmark needs.
int least_processes(family kind, bool io);

/// The place of a rank of the world among all: its own, or transposed by `-map`, so that neighbours lie P ranks apart.
int place_of(grid const& map, int world_rank, int world);

/// Is it an order of P x Q places, and not that of the world?
bool transposes(grid const& map);

/// The world ranks of each group, by group rank: one group of `processes`, or as many as there are.
std::vector<std::vector<int>> groups_of(grid const& map, int processes, int world, bool several);

} // namespace imb
