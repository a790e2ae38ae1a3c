// SPDX-License-Identifier: BSL-1.0
// What nearly every file of a suite's programs includes, parsed once. Included by the compiler, once (and so without a
// guard).

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <functional>
#include <string>
#include <vector>
