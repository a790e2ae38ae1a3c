// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace osu {

/// `main` of the one-sided program of a name.
int run_one_sided(int argc, char** argv, char const* name);

} // namespace osu
