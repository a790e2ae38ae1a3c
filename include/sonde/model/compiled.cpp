// SPDX-License-Identifier: BSL-1.0
// The fits of models, which take Eigen and Boost.Math. See ../compiled.cpp.
#ifndef SONDE_COMPILED
#error                                                                                                                 \
    "Define SONDE_COMPILED for all files of the program; without it the library is header-only, and needs no such file"
#endif
// What the fits include of the core is defined in the core's file.
#include <sonde/measure/record.hpp>
#include <sonde/model.hpp>

#include <sonde/detail/define.inc>

#include <sonde/model/fit/hockney.hpp>
#include <sonde/model/fit/log_gp.hpp>
#include <sonde/model/fit/max_rate.hpp>
