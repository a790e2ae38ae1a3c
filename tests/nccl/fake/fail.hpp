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

/// The next call of this function fails on this rank. ncclCommInitRank does so before ranks have met, which others then
/// wait for (and not on rank 0, whom all need); by the name of `at_its_end` when they have met, and succeeds on others.
void fail_nccl(std::string call, ncclResult_t code);
constexpr auto at_its_end = "ncclCommInitRank, at its end";

/// Who waits for this rank, which has failed so, learns of it now.
void nccl_notices();

} // namespace fake
