// SPDX-License-Identifier: BSL-1.0
#pragma once

// What nearly every file of the fits' tests includes, parsed once.
#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/levenberg_marquardt.hpp>

#include <doctest/doctest.h>
