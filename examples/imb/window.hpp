// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "setting.hpp"

namespace imb {

// Windows of `-window_size` messages, rank r < P/2 to r + P/2: a receive has a region of its own, or contents would be
// anybody's. A window for which `-mem` has not so many regions goes in equal parts, each acknowledged.

work make_uniband(setting& s);
work make_biband(setting& s);

} // namespace imb
