// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nccl.h>

#include <string>

/// NCCL without a device, on the streams of the fake CUDA runtime: it has the functions of libnccl that Sonde calls,
/// and is linked in its place, or preloaded together with that. Ranks are processes or threads of one machine; data
/// goes through shared memory that the unique id names. Calls are among those of fake::calls() and FAKE_CUDA_LOG:
///
///     ncclSend 4096 1 2        (bytes, peer, stream)      ncclGroupStart      ncclAllReduce 4096 2   (bytes, stream)
///
/// Two ranks on one device are refused, as NCCL does, unless FAKE_NCCL_SHARE=1.
namespace fake {

/// Makes the next call of this function fail on this rank. ncclCommInitRank fails before ranks have joined, so that
/// others wait (not on rank 0, whom all need); with the name of `at_its_end` it fails after they have joined, and
/// succeeds on others.
void fail_nccl(std::string call, ncclResult_t code);
constexpr auto at_its_end = "ncclCommInitRank, at its end";

/// Notifies the ranks that wait for this failed rank.
void nccl_notices();

} // namespace fake
