// SPDX-License-Identifier: BSL-1.0
#pragma once

// Statistics of times.

#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/stat/order_statistics.hpp>
