// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything that measures oneCCL between processors: a communicator made from any group, links and collectives in
// memory of the host. It needs oneCCL's C++ interface.

#include <sonde/oneccl/collectives.hpp>
#include <sonde/oneccl/communicator.hpp>
#include <sonde/oneccl/link.hpp>
