// SPDX-License-Identifier: BSL-1.0

// Compiling is passing: types of sonde::nccl.

#include <sonde/cuda.hpp>
#include <sonde/error.hpp>
#include <sonde/nccl/collectives.hpp>
#include <sonde/nccl/link.hpp>
#include <sonde/measure/overlap.hpp>

#include <concepts>

namespace models_nccl {

using namespace sonde::nccl;

static_assert(std::derived_from<error, sonde::library_error> && std::derived_from<sonde::cuda::error, sonde::library_error>);

static_assert(!sonde::NonblockingOperation<stream_ordered<allreduce>>);
static_assert(sonde::NonblockingOperation<nonblocking<allreduce>>);

// A queue refers to its communicator and its stream, so neither may be a temporary.
static_assert(std::constructible_from<queue<>, communicator&, sonde::cuda::stream const&>);
static_assert(!std::constructible_from<queue<>, communicator, sonde::cuda::stream const&> &&
              !std::constructible_from<queue<>, communicator&, sonde::cuda::stream>);

} // namespace models_nccl
