// SPDX-License-Identifier: BSL-1.0
// Headers of nearly every test, parsed once. Included by the compiler, once (and so without a guard).

#include <sonde/sim.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>
