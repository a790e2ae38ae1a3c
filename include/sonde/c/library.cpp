// SPDX-License-Identifier: BSL-1.0
// The library libsonde: the functions of sonde.h.
#include <sonde/c.hpp>
