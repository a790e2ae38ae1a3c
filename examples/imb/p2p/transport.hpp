// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace imb::p2p {

/// `-msgwr`, `-msgrd`: messages are written before they are sent and read after they have arrived, one byte of each
/// cache line.
struct touches {
    static constexpr std::size_t line = 64; // bytes
    bool writes = true;
    bool reads = true;

    void before_send(sonde::region message, std::byte mark) const {
        if (!writes) return;
        for (std::size_t i = 0; i < message.size(); i += line) *static_cast<std::byte volatile*>(&message[i]) = mark;
    }
    void after_receive(sonde::region message) const {
        if (!reads) return;
        for (std::size_t i = 0; i < message.size(); i += line) {
            [[maybe_unused]] std::byte const read = *static_cast<std::byte const volatile*>(&message[i]);
        }
    }
};

/// Byte that a rank writes before it sends.
inline std::byte mark_of(int rank) { return static_cast<std::byte>(rank + 1); }

/// Byte i of a rank's message with -check. It depends on the rank and on i, so that displaced bytes are found.
inline std::byte content(int rank, std::size_t i) {
    if (i % touches::line == 0) return mark_of(rank);
    return static_cast<std::byte>((static_cast<std::size_t>(rank) + 1) * 31 + i * 7 + i / 256);
}

/// Messages of one size to and from any rank, by MPI. Message i of a communication has the send and the receive buffer
/// of that number; touching them (`-msgwr`, `-msgrd`) is part of the communication.
class mpi_transport {
public:
    mpi_transport(sonde::mpi::group const& ranks, touches touched, std::vector<sonde::region> out,
                  std::vector<sonde::region> in)
        : comm_{ranks.comm()}, mark_{mark_of(ranks.rank())}, touched_{touched}, out_{std::move(out)},
          in_{std::move(in)}, messages_{sonde::mpi::endpoint{ranks, 0}.send_buffer(sonde::slice{out_.front()})},
          message_{messages_.next()} {
        pending_.reserve(out_.size() + in_.size());
    }

    void send(int to) {
        touched_.before_send(out_[0], mark_);
        sonde::mpi::check(MPI_Send(out_[0].data(), message_.count, message_.type, to, tag, comm_), "MPI_Send");
    }
    void recv(int from) {
        sonde::mpi::check(MPI_Recv(in_[0].data(), message_.count, message_.type, from, tag, comm_, MPI_STATUS_IGNORE),
                          "MPI_Recv");
        touched_.after_receive(in_[0]);
    }
    void sendrecv(int to, int from) {
        irecv(0, from);
        send(to);
        pending_.wait();
        touched_.after_receive(in_[0]);
    }
    void exchange(std::vector<int> const& ranks) {
        for (auto const& message : out_) touched_.before_send(message, mark_);
        for (std::size_t i = 0; i != ranks.size(); ++i) irecv(i, ranks[i]);
        for (std::size_t i = 0; i != ranks.size(); ++i) isend(i, ranks[i]);
        pending_.wait();
        for (auto const& message : in_) touched_.after_receive(message);
    }
    void sendrecv_replace(int to, int from) {
        touched_.before_send(out_[0], mark_);
        sonde::mpi::check(MPI_Sendrecv_replace(out_[0].data(), message_.count, message_.type, to, tag, from, tag, comm_,
                                               MPI_STATUS_IGNORE),
                          "MPI_Sendrecv_replace");
        replaced_ = true;
    }
    /// Read a replaced message once, after the last repetition.
    void complete() {
        if (replaced_) touched_.after_receive(out_[0]);
    }

private:
    static constexpr int tag = 0;

    void irecv(std::size_t i, int from) {
        sonde::mpi::check(MPI_Irecv(in_[i].data(), message_.count, message_.type, from, tag, comm_, pending_.add()),
                          "MPI_Irecv");
    }
    void isend(std::size_t i, int to) {
        sonde::mpi::check(MPI_Isend(out_[i].data(), message_.count, message_.type, to, tag, comm_, pending_.add_send()),
                          "MPI_Isend");
    }

    MPI_Comm comm_;
    std::byte mark_;
    touches touched_;
    std::vector<sonde::region> out_;
    std::vector<sonde::region> in_;
    sonde::mpi::message_buffer<sonde::slice> messages_; // owns the datatype of a message of more than 2^31 - 1 bytes
    sonde::mpi::message message_;                       // its count and datatype
    sonde::mpi::requests<sonde::mpi::active_request_policy::cancel> pending_;
    bool replaced_ = false;
};

} // namespace imb::p2p
