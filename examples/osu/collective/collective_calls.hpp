// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu {

/// The collectives by call mode: osu_NAME, osu_iNAME, osu_NAME_persistent.
std::vector<suite::named_program> blocking_programs();
std::vector<suite::named_program> nonblocking_programs();
std::vector<suite::named_program> persistent_programs(); // none without persistent collectives

} // namespace osu
