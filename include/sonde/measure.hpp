// SPDX-License-Identifier: BSL-1.0
#pragma once

// Plans, runs, records and their metrics. Comparisons (measure/compare.hpp) and the environment
// (measure/environment.hpp) are included separately.

#include <sonde/measure/overlap.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
