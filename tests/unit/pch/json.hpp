// SPDX-License-Identifier: BSL-1.0
// Headers of nearly every test, parsed once. Included by the compiler, once (and so without a guard).

#include <sonde/sonde.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>
