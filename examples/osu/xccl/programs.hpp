// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace osu::xccl {

// `main` of the programs of NCCL, osu_xccl_NAME. Each returns the exit status.
int run_pair(int argc, char** argv, char const* name);
int run_collective(int argc, char** argv, char const* name);

} // namespace osu::xccl
