// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/link_modes.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <mpi.h>

#include <utility>

namespace sonde::inline v0_1::mpi {

namespace detail {

#if MPI_VERSION >= 4

inline bool parrived(MPI_Request r, int partition) {
    int arrived = 0;
    check(MPI_Parrived(r, partition, &arrived), "MPI_Parrived");
    return arrived != 0;
}

#else

inline bool parrived(MPI_Request, int) {
    require_mpi_4("MPI_Parrived");
    return false;
}

#endif

} // namespace detail

/// A message in equal partitions from the initiator to the responder, and an empty acknowledgement back, as a
/// NonblockingOperation (MPI 4.0, 4): work between `start` and `wait` that calls `test` produces a partition before
/// each test. What it hides of the message is the early-bird share.
///
///     start()    MPI_Start
///     test()     initiator: MPI_Pready of the next partition. responder: MPI_Parrived; true if all have arrived
///     wait()     initiator: MPI_Pready of the partitions that are left, MPI_Wait, and the acknowledgement arrives.
///                responder: MPI_Wait, and it sends the acknowledgement
///
/// The initiator sends from `out`, the responder receives into `in`. Without work all partitions are ready at once.
/// With an MPI library before MPI 4.0 the constructor throws std::runtime_error. It throws std::invalid_argument for
/// fewer than one partition, and unless the partitions divide the bytes.
class partitioned_message {
public:
    partitioned_message(group_ref ranks, int peer, sonde::role my_role, int partitions, Buffer auto out, Buffer auto in,
                        tags tag = {})
        : message_{ranks, peer, partitions, {}, tag}, acknowledgement_{ranks, peer, tag}, role_{my_role},
          partitions_{partitions}, requests_{my_role == role::responder ? message_.recv_buffer(std::move(in))
                                                                        : message_.send_buffer(std::move(out))} {}

    void start() {
        next_ = 0;
        request_ = requests_.next();
        if (has_peer()) check(MPI_Start(request_), "MPI_Start");
    }
    bool test() {
        if (!has_peer()) return true;
        if (role_ == role::initiator) {
            if (next_ != partitions_) detail::pready(next_++, *request_);
            return false; // the acknowledgement completes it
        }
        while (next_ != partitions_ && detail::parrived(*request_, next_)) ++next_;
        return next_ == partitions_;
    }
    void wait() {
        if (!has_peer()) return;
        if (role_ == role::initiator)
            while (next_ != partitions_) detail::pready(next_++, *request_);
        check(MPI_Wait(request_, MPI_STATUS_IGNORE), "MPI_Wait");
        if (role_ == role::initiator) acknowledgement_.recv(empty());
        else acknowledgement_.send(empty());
    }
    void operator()() {
        start();
        wait();
    }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return sonde::detail::traffic_to_peer(message_, {requests_.size(), 1, 1}); }
    sonde::requirements requirements() const { return sonde::detail::requirements_in_pair(message_, role_); }

private:
    static message empty() { return {nullptr, 0, MPI_BYTE}; }
    bool has_peer() const { return message_.sends() && role_ != role::idle; }

    partitioned_link<> message_;
    link acknowledgement_;
    sonde::role role_;
    int partitions_;
    persistent_requests<active_request_policy::leak> requests_;
    MPI_Request* request_ = nullptr; // of the message that is pending
    int next_ = 0;                   // partition to be ready, or to arrive
};

} // namespace sonde::mpi
