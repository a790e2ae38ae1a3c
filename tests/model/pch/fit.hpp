// SPDX-License-Identifier: BSL-1.0
// What nearly every test of a fit includes, parsed once. Included by the compiler, once (and so without a guard).

#include <sonde/model/fit/least_squares.hpp>

#include <doctest/doctest.h>
