// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"

namespace imb {

/// IMB-IO: files.
component io_component();

} // namespace imb
