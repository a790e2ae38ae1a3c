// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"

namespace imb {

/// Files.
component io_component();

} // namespace imb
