// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/link_modes.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::inline v0_1::mpi {

namespace detail {

#if MPI_VERSION >= 4

inline void psend_init(int partitions, large_message const& m, int to, int tag, MPI_Comm comm, MPI_Request* r) {
    check(MPI_Psend_init(m.data, partitions, m.count, m.type, to, tag, comm, MPI_INFO_NULL, r), "MPI_Psend_init");
}
inline void precv_init(int partitions, large_message const& m, int from, int tag, MPI_Comm comm, MPI_Request* r) {
    check(MPI_Precv_init(m.data, partitions, m.count, m.type, from, tag, comm, MPI_INFO_NULL, r), "MPI_Precv_init");
}
inline void pready(int partition, MPI_Request r) { check(MPI_Pready(partition, r), "MPI_Pready"); }

#else

// A program compiles with any MPI library. The link's constructor throws first; these functions throw as well.
inline void psend_init(int, large_message const&, int, int, MPI_Comm, MPI_Request*) { require_mpi_4("MPI_Psend_init"); }
inline void precv_init(int, large_message const&, int, int, MPI_Comm, MPI_Request*) { require_mpi_4("MPI_Precv_init"); }
inline void pready(int, MPI_Request) { require_mpi_4("MPI_Pready"); }

#endif

} // namespace detail

/// Does nothing: a partition is ready at once.
struct ready_at_once {
    /// Does nothing.
    void operator()(int) const {}
};

/// Partitioned communication (MPI 4.0, 4): MPI_Psend_init and MPI_Precv_init when the buffers are prepared; then
/// MPI_Start, for a send one MPI_Pready for each partition in turn, and MPI_Wait. `produce(i)` is called before
/// partition i becomes ready, inside the sample, as an application computes it.
///
/// Each partition is an equal part of the region. If `produce` throws, the remaining partitions are sent as they are.
/// With an MPI library before MPI 4.0 the constructor throws std::runtime_error. It throws std::invalid_argument for
/// fewer than one partition; preparing a buffer throws it unless the partitions divide the region's elements.
template <class Produce = ready_at_once>
class partitioned_link : public endpoint {
public:
    partitioned_link(group_ref ranks, int peer, int partitions, Produce produce = {}, tags tag = {},
                     MPI_Datatype type = MPI_BYTE)
        : endpoint{ranks, peer, tag, {type}}, partitions_{partitions}, produce_{std::move(produce)} {
        if (partitions < 1) throw std::invalid_argument{"sonde::mpi::partitioned_link: needs at least one partition"};
        detail::require_mpi_4("sonde::mpi::partitioned_link");
    }

    auto send_buffer(Buffer auto buffer) const { return prepare(std::move(buffer), tags_.send, detail::psend_init); }
    auto recv_buffer(Buffer auto buffer) const { return prepare(std::move(buffer), tags_.recv, detail::precv_init); }

    void send(MPI_Request* r) {
        if (!has_peer()) return;
        check(MPI_Start(r), "MPI_Start");
        int i = 0;
        try {
            for (; i != partitions_; ++i) {
                produce_(i);
                detail::pready(i, *r);
            }
        } catch (...) { // the peer gets the rest as it is, and the request can be started again
            for (; i != partitions_; ++i) detail::pready(i, *r);
            MPI_Wait(r, MPI_STATUS_IGNORE);
            throw;
        }
        check(MPI_Wait(r, MPI_STATUS_IGNORE), "MPI_Wait");
    }
    void recv(MPI_Request* r) const {
        if (!has_peer()) return;
        check(MPI_Start(r), "MPI_Start");
        check(MPI_Wait(r, MPI_STATUS_IGNORE), "MPI_Wait");
    }

private:
    bool has_peer() const { return peer_ != MPI_PROC_NULL; }

    using partitioned_requests = persistent_requests<active_request_policy::leak>; // MPI does not allow canceling them

    partitioned_requests prepare(Buffer auto buffer, int tag, auto init) const {
        large_message_buffer whole{std::move(buffer), elements_.type};
        partitioned_requests made{whole.size()};
        for (auto n = whole.regions(); n != 0; --n) {
            auto m = whole.next();
            if (m.count % partitions_ != 0)
                throw std::invalid_argument{"sonde::mpi::partitioned_link: " + std::to_string(partitions_) +
                                            " partitions do not divide " + std::to_string(m.count) + " elements"};
            m.count /= partitions_;
            auto* const request = made.add(); // stays null without a peer: MPICH 4.0 crashes for MPI_PROC_NULL
            if (has_peer()) init(partitions_, m, peer_, tag, comm_, request);
        }
        return made;
    }

    int partitions_;
    Produce produce_;
};

} // namespace sonde::mpi
