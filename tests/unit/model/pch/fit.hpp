// SPDX-License-Identifier: BSL-1.0
// Headers of nearly every test of a fit, parsed once. Included by the compiler, once (and so without a guard).

#include <sonde/model/fit/least_squares.hpp>

#include <doctest/doctest.h>
