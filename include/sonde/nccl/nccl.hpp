// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything that measures NCCL: a communicator made from any group, links and collectives on a stream. Include it with
// NCCL and the CUDA runtime.
//
//     sonde::nccl::communicator world{ranks};
//     sonde::cuda::stream stream;
//     sonde::nccl::queue queue{world, stream};
//     sonde::nccl::stream_ordered sum{sonde::nccl::allreduce{world, {ncclFloat, n}, ncclSum}, queue, out, in};

#include <sonde/nccl/collectives.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/link.hpp>
#include <sonde/nccl/queue.hpp>
