// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "connection.hpp"

#include <sonde/nccl/link.hpp>

namespace osu::xccl {

/// Each message of a window is an operation of its own, as in OMB's osu_xccl_bw: no group joins them.
class one_by_one : sonde::nccl::enqueued_link<waits> {
    using enqueued = enqueued_link;

public:
    using enqueued::enqueued_link;
    using enqueued::incoming;
    using enqueued::outgoing;

    void isend(sonde::nccl::message const& m) { enqueued::send(m); }
    void irecv(sonde::nccl::message const& m) { enqueued::recv(m); }
    void wait_all() { enqueued::complete(); }
};

/// Nobody waits for the answer to a window: the next window is enqueued behind it, as in OMB.
class unwaited : sonde::nccl::enqueued_link<waits> {
    using enqueued = enqueued_link;

public:
    using enqueued::enqueued_link;
    using enqueued::incoming;
    using enqueued::outgoing;
    using enqueued::recv;
    using enqueued::send;
};

} // namespace osu::xccl
