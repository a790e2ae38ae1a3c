// SPDX-License-Identifier: BSL-1.0
#pragma once

// The core, which needs the standard library only. Other headers are included one by one: <sonde/compare.hpp>,
// <sonde/mpi/mpi.hpp>, <sonde/sim/world.hpp> ...

#include <sonde/version.hpp> // first, because it reports what the compiler lacks

#include <sonde/buffer.hpp>
#include <sonde/group.hpp>
#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/metrics.hpp>
#include <sonde/overlap.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/bidirectional.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/patterns/stream.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/report.hpp>
#include <sonde/rma.hpp>
#include <sonde/run.hpp>
#include <sonde/sizes.hpp>
#include <sonde/stats/autocorrelation.hpp>
#include <sonde/stats/histogram.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>
