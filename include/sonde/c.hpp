// SPDX-License-Identifier: BSL-1.0
#pragma once

// The functions of <sonde/c/sonde.h>. One C++ file of a program includes this header, or the program links libsonde.

#include <sonde/c/lateness.hpp>
#include <sonde/c/measure.hpp>
#include <sonde/c/monitor.hpp>
#include <sonde/c/plan.hpp>
#include <sonde/c/probe.hpp>
#include <sonde/c/record.hpp>
#include <sonde/c/report.hpp>
#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
