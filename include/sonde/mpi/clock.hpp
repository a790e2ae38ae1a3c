// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <cstddef>
#include <span>

namespace sonde::mpi {

/// MPI_Wtime as a clock, which OMB and IMB use.
struct wtime {
    seconds now() const { return seconds{MPI_Wtime()}; }
};

namespace detail {
inline constexpr int dissemination_tag = 32767; // the largest tag that every MPI library allows
inline constexpr int clock_tag = dissemination_tag - 1;
} // namespace detail

/// ControlChannel on the communicator of a group: MPI_Send and MPI_Recv.
class control_channel {
public:
    explicit control_channel(group_ref ranks) : comm_{ranks.comm()}, oversubscribed_{ranks.get().oversubscribed()} {}
    void send(int to, std::span<double const> v) const {
        detail::for_each_piece(v.size(), [&](std::size_t first, int n) {
            check(MPI_Send(v.data() + first, n, MPI_DOUBLE, to, detail::clock_tag, comm_), "MPI_Send");
        });
    }
    void receive(int from, std::span<double> v) const {
        detail::for_each_piece(v.size(), [&](std::size_t first, int n) {
            check(MPI_Recv(v.data() + first, n, MPI_DOUBLE, from, detail::clock_tag, comm_, MPI_STATUS_IGNORE),
                  "MPI_Recv");
        });
    }

    /// That of the group: the ranks of other pairs are busy at the same time.
    bool oversubscribed() const { return oversubscribed_; }

private:
    MPI_Comm comm_;
    bool oversubscribed_;
};

} // namespace sonde::mpi
