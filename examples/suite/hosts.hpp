// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/group.hpp>

#include <functional>
#include <string>

namespace suite {

/// The ranks of a group on this host. Collective over the group.
sonde::mpi::group ranks_of_host(sonde::mpi::group const& all);

/// Throws refusal, on all ranks, if the ranks of a host need more memory together than the host has: the kernel
/// promises more than there is, and would end the run in the middle of its largest size. `bytes` is the need of this
/// rank, which may differ between ranks: the root of a gather needs more than the others. `options` are the options
/// that determine the need. Collective over the group.
void require_memory(sonde::mpi::group const& world, double bytes, std::string const& options);

/// Run `take`, which allocates memory of the host. Throws refusal, on all ranks, if an allocation fails on one of them.
/// Collective over the group.
void allocate(sonde::mpi::group const& world, std::string const& options, std::function<void()> const& take);

} // namespace suite
