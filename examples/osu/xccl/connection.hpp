// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/stream.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/queue.hpp>

#include <mpi.h>

namespace osu::xccl {

/// Between two looks at a stream MPI may make progress: OMB's errand.
struct probe {
    MPI_Comm comm;

    void operator()() const {
        auto found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE);
    }
};
using waits = sonde::nccl::polling<probe>;

/// The ranks as NCCL connects them, and the stream on which all is enqueued.
class connection {
public:
    /// Throws refusal, on all ranks, where NCCL cannot. Collective over the group, and so is its end.
    explicit connection(sonde::mpi::group& world);

    sonde::nccl::queue<waits> queue() { return {ranks_, stream_, waits{probe{comm_}}}; }

private:
    MPI_Comm comm_;
    sonde::cuda::stream stream_;
    sonde::nccl::communicator ranks_; // goes first
};

} // namespace osu::xccl
