// SPDX-License-Identifier: BSL-1.0
// The non-template functions of the core. A program that compiles them once defines SONDE_COMPILED for all its files
// and compiles this file; with MPI, also mpi/compiled.cpp. The JSON Lines reporter is included if nlohmann/json is
// found.
#ifndef SONDE_COMPILED
#error "Define SONDE_COMPILED for all files of the program; without it, the library is header-only"
#endif
#include <sonde/version.hpp>

#include <sonde/detail/define.inc>

#include <sonde/clock/global_clock.hpp>
#include <sonde/group/watchdog.hpp>
#include <sonde/lateness.hpp>
#include <sonde/lateness/sentences.hpp>
#include <sonde/lateness/timeline.hpp>
#include <sonde/measure/beside.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/monitor.hpp>
#include <sonde/probe.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/lateness_table.hpp>
#include <sonde/report/openmetrics.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/report/steps.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/to_string.hpp>
#include <sonde/sonde.hpp>
#include <sonde/stat/steps.hpp>
#include <sonde/timeline.hpp>
#include <sonde/timeline/write.hpp>
#include <sonde/witness.hpp>
#if __has_include(<nlohmann/json.hpp>)
#include <sonde/json.hpp>
#endif
