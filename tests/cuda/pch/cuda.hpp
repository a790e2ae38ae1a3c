// SPDX-License-Identifier: BSL-1.0
// Headers of every test, parsed once. Included by the compiler, once (and so without a guard).

#include <sonde/cuda.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>
