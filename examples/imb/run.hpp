// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "stage.hpp"

#include <vector>

namespace imb {

/// Benchmarks one after the other, each with its numbers of processes and in its modes. Collective over the world.
void run(stage& on, std::vector<benchmark const*> const& tests);

} // namespace imb
