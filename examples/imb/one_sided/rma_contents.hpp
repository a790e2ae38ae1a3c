// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/one_sided/rma_instance.hpp"

namespace imb {

/// `-check`: the largest relative deviation over all ranks of memory from its expected contents after transfers, where
/// more than 0.01 is 1. The origins act one after the other, or at once if the result is defined. Collective over the
/// setting's group.
double defects_of(rma_instance const& at, rma_code const& code);

} // namespace imb
