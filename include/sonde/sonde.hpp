// SPDX-License-Identifier: BSL-1.0
#pragma once

// The core: the standard library only. Backends are included one by one: <sonde/mpi/mpi.hpp>, <sonde/sim/world.hpp> ...

#include <sonde/version.hpp> // first, because it says what the compiler lacks

#include <sonde/asymmetry.hpp>
#include <sonde/buffer.hpp>
#include <sonde/check.hpp>
#include <sonde/correlation.hpp>
#include <sonde/group.hpp>
#include <sonde/histogram.hpp>
#include <sonde/link.hpp>
#include <sonde/measure.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/borrowed.hpp>
#include <sonde/memory/host.hpp>
#include <sonde/metrics.hpp>
#include <sonde/overlap.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/adapt.hpp>
#include <sonde/patterns/bidirectional.hpp>
#include <sonde/patterns/overlapped.hpp>
#include <sonde/patterns/pairs.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/patterns/rma.hpp>
#include <sonde/patterns/stream.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/report.hpp>
#include <sonde/sizes.hpp>
#include <sonde/spin.hpp>
#include <sonde/statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/noise_converged.hpp>
#include <sonde/stop/relative_error.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>
#include <sonde/time_batch.hpp>
#include <sonde/timer.hpp>
