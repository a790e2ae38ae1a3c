// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

namespace imb {

/// IMB's messages have this tag; receives take any.
constexpr int tag = 1;

/// Whom a receive takes a message from.
enum class source : unsigned char { peer, any };

/// To a peer, and from it or from anybody: MPI_Send and MPI_Recv, or an MPI_Isend and, later, a wait for it.
class sourced_link : public sonde::mpi::endpoint {
public:
    sourced_link(sonde::mpi::group const& ranks, int peer, source from, sonde::mpi::elements as)
        : endpoint{ranks, peer, {tag, MPI_ANY_TAG}, as}, source_{from == source::any ? MPI_ANY_SOURCE : peer_} {}

    void send(sonde::mpi::message const& m) const {
        sonde::mpi::check(MPI_Send(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Send");
    }
    void recv(sonde::mpi::message const& m) const {
        sonde::mpi::check(MPI_Recv(m.data, m.count, m.type, source_, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    void isend(sonde::mpi::message const& m) {
        sonde::mpi::check(MPI_Isend(m.data, m.count, m.type, peer_, tags_.send, comm_, &request_), "MPI_Isend");
    }
    void wait() { sonde::mpi::check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

private:
    int source_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// The neighbours in a periodic chain of ranks, so many apart: with two, left and right are the same rank, with one,
/// oneself.
class chain_link : public sonde::mpi::endpoint {
public:
    chain_link(sonde::mpi::group const& ranks, sonde::mpi::elements as, int distance = 1)
        : endpoint{ranks, (ranks.rank() + distance % ranks.size()) % ranks.size(), {tag, MPI_ANY_TAG}, as},
          left_{(ranks.rank() + ranks.size() - distance % ranks.size()) % ranks.size()} {}

    int left() const { return left_; }
    int right() const { return peer_; }

    /// To the right, from the left.
    void sendrecv(sonde::mpi::message const& out, sonde::mpi::message const& in) const {
        sonde::mpi::check(MPI_Sendrecv(out.data, out.count, out.type, right(), tags_.send, in.data, in.count, in.type,
                                       left(), tags_.recv, comm_, MPI_STATUS_IGNORE),
                          "MPI_Sendrecv");
    }
    void isend(int to, sonde::mpi::message const& m) {
        sonde::mpi::check(MPI_Isend(m.data, m.count, m.type, to, tags_.send, comm_, pending_.add()), "MPI_Isend");
    }
    void recv(int from, sonde::mpi::message const& m) const {
        sonde::mpi::check(MPI_Recv(m.data, m.count, m.type, from, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    void wait_all() { pending_.wait(); }

private:
    int left_;
    sonde::mpi::requests<sonde::mpi::if_active::cancel> pending_;
};

} // namespace imb
