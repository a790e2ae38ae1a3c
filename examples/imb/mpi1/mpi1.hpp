// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"

namespace imb {

/// IMB-MPI1: point-to-point communication and collectives.
component mpi1();

} // namespace imb
