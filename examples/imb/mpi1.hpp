// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"

namespace imb {

/// Messages from rank to rank, and collectives.
component mpi1();

} // namespace imb
