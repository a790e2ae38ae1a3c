// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"

namespace imb {

/// IMB-EXT: one-sided communication between fences.
component ext();

/// IMB-RMA: one-sided communication with passive targets.
component rma();

} // namespace imb
