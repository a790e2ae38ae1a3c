// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/group.hpp>

#include <functional>
#include <string>

namespace suite {

/// The ranks of a group on this host. Collective over the group.
sonde::mpi::group ranks_of_host(sonde::mpi::group const& all);

/// Complaint about `bytes` of memory on this rank, if the ranks of a host need more together than main memory or the
/// limit of a control group, or a rank more than its `ulimit`: the kernel promises more than there is, and would end
/// the run in the middle of its largest size. On the first rank of a host, "" on the others. Ranks may differ in
/// `bytes`: the root of a gather needs more than the others. Collective over the group.
std::string memory_shortage(sonde::mpi::group const& world, double bytes);

/// Bytes that the MPI library takes for a request, beside the handle, at least: Open MPI 4.1 took 770 to 910, MPICH 4.0
/// 600.
inline constexpr double least_memory_of_request = 512;

/// Throws refusal, on all ranks, if memory is short on a host. `options` are the options that determine the need.
/// Collective over the group.
void require_memory(sonde::mpi::group const& world, double bytes, std::string const& options);

/// Complaint about shared memory: the `bytes` that ranks share do not fit into the free space of /dev/shm; "" if they
/// do. Collective over the group.
std::string shared_memory_shortage(sonde::mpi::group const& world, double bytes);

/// Throws refusal, on all ranks, if there is a shortage of shared memory and the library puts its memory into /dev/shm,
/// where a process is ended when it touches more than there is. `in_shared_files` is collective, and called only if a
/// rank has a complaint. Collective over the group.
void require_shared_memory(sonde::mpi::group const& world, std::string const& why, std::string const& options,
                           std::function<bool()> const& in_shared_files);

/// Throws refusal, on all ranks, if windows of `bytes` on this rank that the MPI library allocates do not fit into
/// /dev/shm, and it allocates them there. Collective over the group.
void require_window_memory(sonde::mpi::group const& world, double bytes, std::string const& options);

/// Run `take`, which allocates memory of the host. Throws refusal, on all ranks, if an allocation fails on one of them.
/// Collective over the group.
void allocate(sonde::mpi::group const& world, std::string const& options, std::function<void()> const& take);

} // namespace suite
