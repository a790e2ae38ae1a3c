// SPDX-License-Identifier: BSL-1.0
// What every test includes, parsed once. Included by the compiler, once (and so without a guard).

#include <sonde/cuda/cuda.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>
