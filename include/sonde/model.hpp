// SPDX-License-Identifier: BSL-1.0
#pragma once

// Models of communication, as values. What fits them to times needs Eigen and Boost.Math: model/fit/, model/points.hpp.

#include <sonde/model/collectives.hpp>
#include <sonde/model/hockney.hpp>
#include <sonde/model/log_gp.hpp>
#include <sonde/model/log_gp_measurement.hpp>
#include <sonde/model/max_rate.hpp>
#include <sonde/model/multi_ping_pong.hpp>
#include <sonde/model/units.hpp>
