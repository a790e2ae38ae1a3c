// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/xccl/nccl_library.hpp"
#include "suite/devices.hpp"
#include "suite/launch.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/link.hpp>

#include <mpi.h>

#include <string>
#include <vector>

namespace osu::xccl {

/// MPI_Iprobe between two queries of a stream, as in OMB: MPI may make progress.
struct mpi_probe {
    MPI_Comm comm;

    void operator()() const {
        auto found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE);
    }
};
using polling = sonde::nccl::polling<mpi_probe>;

/// The ranks' NCCL communicator, and the stream of all operations.
class connection {
public:
    /// Throws refusal, on all ranks, if NCCL cannot connect the ranks. Collective over the group, and so is the
    /// destructor.
    explicit connection(sonde::mpi::group& world) : comm_{world.comm()}, ranks_{connected(world)} {
        warn_of_shared_devices(world);
    }

    sonde::nccl::queue<polling> queue() { return {ranks_, stream_, polling{mpi_probe{comm_}}}; }

private:
    static sonde::nccl::communicator connected(sonde::mpi::group& world) {
        try {
            return sonde::nccl::communicator{world};
        } catch (sonde::nccl::error const& e) { // the same on all ranks
            throw refusal{std::string{nccl_library.title} + " cannot connect the ranks: " + e.what() +
                          "; accepted: ranks with a device each"};
        }
    }

    MPI_Comm comm_;
    sonde::nccl::device::stream stream_;
    sonde::nccl::communicator ranks_; // destroyed before the stream
};

} // namespace osu::xccl
