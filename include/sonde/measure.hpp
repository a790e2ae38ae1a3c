// SPDX-License-Identifier: BSL-1.0
#pragma once

// Plans, runs, records and their metrics. Included one by one: comparisons (measure/compare.hpp) and the environment
// (measure/environment.hpp).

#include <sonde/measure/metrics.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
