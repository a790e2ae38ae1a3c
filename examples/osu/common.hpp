// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../common/numbers.hpp"
#include "../common/refusal.hpp"

namespace osu {

using common::agree;
using common::lower;
using common::number;
using common::refusal;
using common::split;
using common::together;

} // namespace osu
