// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measures.hpp"

namespace osu {

/// `main` of a program of this row and family: all sizes of all datatypes.
int launch(int argc, char** argv, family form, measured const& row);

} // namespace osu
