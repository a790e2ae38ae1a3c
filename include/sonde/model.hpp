// SPDX-License-Identifier: BSL-1.0
#pragma once

// Models of communication, as values. The functions that fit them to times need Eigen and Boost.Math, and are in
// model/fit/ and model/points.hpp.

#include <sonde/model/collectives.hpp>
#include <sonde/model/hockney.hpp>
#include <sonde/model/log_gp.hpp>
#include <sonde/model/log_gp_measurement.hpp>
#include <sonde/model/max_rate.hpp>
#include <sonde/model/multi_ping_pong.hpp>
#include <sonde/model/units.hpp>
