// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/groups/watchdog.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/time.hpp>

#include <mpi.h>

#include <span>
#include <stdexcept>
#include <utility>

namespace sonde::mpi {

/// The ranks of a communicator, on a duplicate of it, so that no message of Sonde matches a receive of the application.
///
/// Made from an MPI_Comm, or from a type that converts to one (boost::mpi::communicator). Constructor and destructor
/// are collective over the communicator. The duplicate has the communicator's topology and attributes, and returns
/// errors, which are thrown as mpi::error; the application's communicator keeps its error handler. MPI must be
/// initialized, and must not be finalized before the group is destroyed. Throws std::invalid_argument for MPI_COMM_NULL
/// and for an inter-communicator, and std::logic_error before MPI_Init and after MPI_Finalize.
class [[nodiscard]] group {
public:
    explicit group(MPI_Comm parent) {
        detail::require_running(!detail::is_predefined(parent));
        if (parent == MPI_COMM_NULL) throw std::invalid_argument{"sonde::mpi::group: the communicator is null"};
        int inter = 0;
        check(MPI_Comm_test_inter(parent, &inter), "MPI_Comm_test_inter");
        if (inter != 0) throw std::invalid_argument{"sonde::mpi::group: the communicator is an inter-communicator"};
        check(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
        check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
    }
    group(group&& other) noexcept
        : comm_{std::exchange(other.comm_, MPI_COMM_NULL)}, rank_{other.rank_}, size_{other.size_},
          watchdog_{other.watchdog_} {}
    group& operator=(group&&) = delete;
    ~group() {
        int finalized = 0;
        if (comm_ != MPI_COMM_NULL && MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) MPI_Comm_free(&comm_);
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// The duplicate, for the MPI calls of a user's pattern.
    MPI_Comm comm() const { return comm_; }

    /// True if several threads of this process may call MPI, one at a time: MPI_THREAD_SERIALIZED and above, and an
    /// MPI-4 session without MPI_Init, whose thread level cannot be queried.
    bool allows_threads() const {
        if (detail::not_running_reason(false) != nullptr) return true;
        int level = MPI_THREAD_SINGLE;
        check(MPI_Query_thread(&level), "MPI_Query_thread");
        return level >= MPI_THREAD_SERIALIZED;
    }
    /// The watchdog on rank 0, which tells on stderr that the other ranks do not come to a measurement; null on other
    /// ranks, and where SimGrid's SMPI makes ranks of the threads of one process in virtual time.
    sonde::watchdog* watchdog() const {
#ifdef SMPI_H
        return nullptr;
#else
        return rank_ == 0 && size_ > 1 ? &watchdog_ : nullptr;
#endif
    }
    /// How long rank 0 waits until it tells: 30 s, unless the environment variable SONDE_WATCHDOG has another number;
    /// not at all for 0. Not within a measurement.
    void set_watchdog(seconds limit) { watchdog_.set_limit(limit); }
    void barrier() const { check(MPI_Barrier(comm_), "MPI_Barrier"); }
    void all_reduce(std::span<double> values, reduction how) const {
        auto const op = how == reduction::sum ? MPI_SUM : how == reduction::min ? MPI_MIN : MPI_MAX;
        check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, comm_),
              "MPI_Allreduce");
    }
    /// The values of every rank on rank 0. See `sonde::Group`.
    void gather(std::span<double const> mine, std::span<double> all) const {
        auto const n = static_cast<int>(mine.size());
        check(MPI_Gather(mine.data(), n, MPI_DOUBLE, all.data(), n, MPI_DOUBLE, 0, comm_), "MPI_Gather");
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
    mutable sonde::watchdog watchdog_;
};

/// Reference to a group, which must outlive everything made from the reference: links, windows, files and collectives
/// use the group's communicator. A temporary group would free the communicator at once, so it does not compile.
class group_ref {
public:
    group_ref(group const& ranks) : ranks_{&ranks} {}
    group_ref(group const&& temporary) = delete;
    operator group const&() const { return *ranks_; }
    group const& get() const { return *ranks_; }
    MPI_Comm comm() const { return ranks_->comm(); }

private:
    group const* ranks_;
};

/// Rank and size of this process among the ranks of a group on the same host, in the group's order.
struct local_ranks {
    int rank;
    int size;

    /// Splits the group by MPI_COMM_TYPE_SHARED (MPI_Comm_split_type), independent of any launcher's environment
    /// variables. Collective over the group.
    static local_ranks of(group const& ranks) {
        MPI_Comm host = MPI_COMM_NULL;
        check(MPI_Comm_split_type(ranks.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
        local_ranks local{};
        auto const rank_code = MPI_Comm_rank(host, &local.rank), size_code = MPI_Comm_size(host, &local.size);
        check(MPI_Comm_free(&host), "MPI_Comm_free"); // first, because the checks may throw
        check(rank_code, "MPI_Comm_rank");
        check(size_code, "MPI_Comm_size");
        return local;
    }
};

} // namespace sonde::mpi
