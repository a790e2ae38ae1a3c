// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace osu {

// `main` of the programs that share one, each for the name of a row. Each returns the exit status. They are declared
// alone because the build compiles a file for each program.

// Collectives, by call mode: osu_NAME, osu_iNAME, osu_NAME_persistent.
int run_blocking(int argc, char** argv, char const* name);
int run_nonblocking(int argc, char** argv, char const* name);
int run_persistent(int argc, char** argv, char const* name);

/// One-sided operations: osu_NAME.
int run_one_sided(int argc, char** argv, char const* name);

/// Bandwidth between one node and all others: osu_bw_fan_in, osu_bw_fan_out.
int run_fan(int argc, char** argv, char const* name);

// NCCL: osu_xccl_NAME.
int run_xccl_pair(int argc, char** argv, char const* name);
int run_xccl_collective(int argc, char** argv, char const* name);

// OpenSHMEM: osu_oshm_NAME.
int run_oshm_latency(int argc, char** argv, char const* name);
int run_oshm_message_rate(int argc, char** argv, char const* name);
int run_oshm_put_overlap(int argc, char** argv, char const* name);
int run_oshm_atomics(int argc, char** argv, char const* name);
int run_oshm_collective(int argc, char** argv, char const* name);

} // namespace osu
