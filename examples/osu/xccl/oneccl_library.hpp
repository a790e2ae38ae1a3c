// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/library.hpp"

namespace osu {

/// oneCCL between processors.
extern library const oneccl_library;

} // namespace osu
