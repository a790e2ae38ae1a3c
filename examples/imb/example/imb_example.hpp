// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"

namespace imb {

/// IMB-EXAMPLE: a program to copy.
component example();

} // namespace imb
