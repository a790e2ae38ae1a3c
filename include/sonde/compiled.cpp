// SPDX-License-Identifier: BSL-1.0
// The functions of the core that are no templates, for programs that compile them once: all files of such a program
// define SONDE_COMPILED, and this file is compiled into it; with MPI, mpi/compiled.cpp is, too. The JSON Lines reporter
// takes part if the headers of nlohmann/json are found.
#ifndef SONDE_COMPILED
#error "Define SONDE_COMPILED for all files of the program; without it, the library is header-only"
#endif
#include <sonde/version.hpp>

#include <sonde/detail/define.inc>

#include <sonde/clock/global_clock.hpp>
#include <sonde/group/watchdog.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/probe.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/report/comparison_table.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/html.hpp>
#include <sonde/report/plot.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>
#include <sonde/timeline.hpp>
#include <sonde/timeline/write.hpp>
#if __has_include(<nlohmann/json.hpp>)
#include <sonde/json.hpp>
#include <sonde/json/read.hpp>
#endif
