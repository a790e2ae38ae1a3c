// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace osu {

// `main` of the programs of a collective, one function a family.
int run_blocking(int argc, char** argv, char const* name);
int run_nonblocking(int argc, char** argv, char const* name);
int run_persistent(int argc, char** argv, char const* name);

} // namespace osu
