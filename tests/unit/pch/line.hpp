// SPDX-License-Identifier: BSL-1.0
// What nearly every test includes, parsed once.
#pragma once

#include <sonde/sim/world.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>
