// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "osu/xccl/nccl_library.hpp"
#include "suite/devices.hpp"
#include "suite/launch.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/nccl/collectives.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/link.hpp>

#include <mpi.h>

#include <string>
#include <vector>

namespace osu::xccl {

namespace backend = sonde::nccl;
inline constexpr auto character = ncclChar;
inline constexpr auto real = ncclFloat;
inline constexpr auto sum = ncclSum;
inline constexpr library const& xccl_library = nccl_library;
/// Memory of the reply to a window.
inline constexpr auto reply_memory = memory_kind::device;

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

    /// Where operations are called.
    sonde::nccl::queue<polling> place() { return {ranks_, stream_, polling{mpi_probe{comm_}}}; }

private:
    static sonde::nccl::communicator connected(sonde::mpi::group& world) {
        try {
            return sonde::nccl::communicator{world};
        } catch (sonde::nccl::error const& e) { // the same on all ranks
            throw refusal{std::string{xccl_library.title} + " cannot connect the ranks: " + e.what() +
                          "; accepted: ranks with a device each"};
        }
    }

    MPI_Comm comm_;
    sonde::nccl::device::stream stream_;
    sonde::nccl::communicator ranks_; // destroyed before the stream
};

using pair_link = sonde::nccl::link<polling>;

/// Link whose messages of a window are separate operations, as in OMB's osu_xccl_bw: no group joins them.
class window_link : sonde::nccl::stream_ordered_link<polling> {
    using enqueued = stream_ordered_link;

public:
    using enqueued::recv_buffer;
    using enqueued::send_buffer;
    using enqueued::stream_ordered_link;

    void isend(sonde::nccl::message const& m) { enqueued::send(m); }
    void irecv(sonde::nccl::message const& m) { enqueued::recv(m); }
    void wait_all() { enqueued::complete(); }
    void complete() {} // a window leaves nothing pending
};

/// Link of the reply to a window. It is never waited for: the next window is enqueued behind it, as in OMB.
class reply_link : sonde::nccl::stream_ordered_link<polling> {
    using enqueued = stream_ordered_link;

public:
    using enqueued::recv;
    using enqueued::recv_buffer;
    using enqueued::send;
    using enqueued::send_buffer;
    using enqueued::stream_ordered_link;

    void complete() {}
};

} // namespace osu::xccl
