// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "connection.hpp"

#include <sonde/nccl/link.hpp>

namespace osu::xccl {

/// Each message of a window is an operation of its own, as in OMB's osu_xccl_bw: no group joins them.
class one_by_one : sonde::nccl::stream_ordered_link<waits> {
    using enqueued = stream_ordered_link;

public:
    using enqueued::recv_buffer;
    using enqueued::send_buffer;
    using enqueued::stream_ordered_link;

    void isend(sonde::nccl::message const& m) { enqueued::send(m); }
    void irecv(sonde::nccl::message const& m) { enqueued::recv(m); }
    void wait_all() { enqueued::complete(); }
};

/// Nobody waits for the answer to a window: the next window is enqueued behind it, as in OMB.
class unwaited : sonde::nccl::stream_ordered_link<waits> {
    using enqueued = stream_ordered_link;

public:
    using enqueued::recv;
    using enqueued::recv_buffer;
    using enqueued::send;
    using enqueued::send_buffer;
    using enqueued::stream_ordered_link;
};

} // namespace osu::xccl
