// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "touch.hpp"

#include <sonde/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace imb::p2p {

/// Messages of one size to and from any rank: one place to send from and one to receive into for each slot.
class post {
public:
    post(sonde::mpi::group const& ranks, touches touched, std::vector<sonde::region> out, std::vector<sonde::region> in)
        : comm_{ranks.comm()}, mark_{mark_of(ranks.rank())}, touched_{touched}, out_{std::move(out)},
          in_{std::move(in)}, sizes_{sonde::mpi::endpoint{ranks, 0}.send_buffer(sonde::slice{out_.front()})},
          shape_{sizes_.next()} {
        pending_.reserve(out_.size() + in_.size());
    }

    void send(int to) {
        touched_.before_send(out_[0], mark_);
        sonde::mpi::check(MPI_Send(out_[0].data(), shape_.count, shape_.type, to, tag, comm_), "MPI_Send");
    }
    void recv(int from) {
        sonde::mpi::check(MPI_Recv(in_[0].data(), shape_.count, shape_.type, from, tag, comm_, MPI_STATUS_IGNORE),
                          "MPI_Recv");
        touched_.after_receive(in_[0]);
    }
    void swap(int to, int from) {
        begin_receive(0, from);
        send(to);
        pending_.wait();
        touched_.after_receive(in_[0]);
    }
    void all(std::vector<int> const& ranks) {
        for (auto const& message : out_) touched_.before_send(message, mark_);
        for (std::size_t i = 0; i != ranks.size(); ++i) begin_receive(i, ranks[i]);
        for (std::size_t i = 0; i != ranks.size(); ++i) begin_send(i, ranks[i]);
        pending_.wait();
        for (auto const& message : in_) touched_.after_receive(message);
    }
    void replace(int to, int from) {
        touched_.before_send(out_[0], mark_);
        sonde::mpi::check(MPI_Sendrecv_replace(out_[0].data(), shape_.count, shape_.type, to, tag, from, tag, comm_,
                                               MPI_STATUS_IGNORE),
                          "MPI_Sendrecv_replace");
        replaced_ = true;
    }
    /// What was replaced is read once, after the last.
    void complete() {
        if (replaced_) touched_.after_receive(out_[0]);
    }

private:
    static constexpr int tag = 0;

    void begin_receive(std::size_t slot, int from) {
        sonde::mpi::check(MPI_Irecv(in_[slot].data(), shape_.count, shape_.type, from, tag, comm_, pending_.add()),
                          "MPI_Irecv");
    }
    void begin_send(std::size_t slot, int to) {
        sonde::mpi::check(MPI_Isend(out_[slot].data(), shape_.count, shape_.type, to, tag, comm_, pending_.add()),
                          "MPI_Isend");
    }

    MPI_Comm comm_;
    std::byte mark_;
    touches touched_;
    std::vector<sonde::region> out_;
    std::vector<sonde::region> in_;
    sonde::mpi::messages<sonde::slice> sizes_; // keeps the type of what is longer than an int counts
    sonde::mpi::message shape_;
    sonde::mpi::requests<sonde::mpi::if_active::cancel> pending_;
    bool replaced_ = false;
};

} // namespace imb::p2p
