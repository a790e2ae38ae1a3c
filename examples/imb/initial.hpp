// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "setting.hpp"

namespace imb {

/// What is sent before anybody writes there: elements of four bytes that tell rank and place, in every slot the same.
/// Floats, 0.1 * (rank + 1) + i; of IO integers.
void fill(sonde::region memory, slots const& where, int rank, bool io);

} // namespace imb
