// SPDX-License-Identifier: BSL-1.0
#pragma once

// The core, which needs the standard library only. Other headers are included one by one: <sonde/measure/compare.hpp>,
// <sonde/mpi.hpp>, <sonde/sim.hpp> ...

#include <sonde/version.hpp> // first, because it reports what the compiler lacks

// The concepts come before the measurement, so that a compiler's message about a concept shows a short chain of
// includes.
#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/do_not_optimize.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync.hpp>

#include <sonde/measure.hpp>
#include <sonde/report.hpp>
#include <sonde/stat.hpp>
