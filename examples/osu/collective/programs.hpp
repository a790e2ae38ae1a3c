// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace osu {

// `main` of the programs of a collective, by call mode: osu_NAME, osu_iNAME, osu_NAME_persistent. Each returns the exit
// status. They are declared alone because the build compiles a file for each program.
int run_blocking(int argc, char** argv, char const* name);
int run_nonblocking(int argc, char** argv, char const* name);
int run_persistent(int argc, char** argv, char const* name);

} // namespace osu
