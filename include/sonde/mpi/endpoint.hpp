// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/message.hpp>

#include <mpi.h>

#include <utility>

namespace sonde::mpi {

/// The tags of the messages sent to and received from a peer; one number is both. On the group's own communicator every
/// tag is free but the two largest that every MPI library allows, 32766 and 32767.
struct tags {
    int send;
    int recv;
    constexpr tags(int both = 0) : send{both}, recv{both} {}
    constexpr tags(int sent, int received) : send{sent}, recv{received} {}
};

/// The other end of a link: a peer in a group, tags, and how bytes are described. A negative peer is nobody. The group
/// must outlive the link.
class endpoint {
public:
    endpoint(group_ref ranks, int peer, tags marked = {}, elements as = {})
        : comm_{ranks.comm()}, peer_{peer < 0 ? MPI_PROC_NULL : peer}, tags_{marked}, elements_{as} {}

    template <Buffer B>
    messages<B> outgoing(B buffer) const {
        return {std::move(buffer), elements_};
    }
    template <Buffer B>
    messages<B> incoming(B buffer) const {
        return {std::move(buffer), elements_};
    }

protected:
    MPI_Comm comm_;
    int peer_;
    tags tags_;
    elements elements_;
};

} // namespace sonde::mpi
