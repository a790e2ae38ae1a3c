// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"

namespace imb {

/// One-sided communication with passive targets.
component rma();

} // namespace imb
