// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <span>
#include <stdexcept>
#include <utility>

namespace sonde::mpi {

/// The ranks of a communicator, on a duplicate of it: nothing Sonde sends can be taken for a message of the
/// application.
///
/// Built from an MPI_Comm, or from what converts to one (boost::mpi::communicator). Collective over the communicator,
/// and so is its end. Topology and attributes come along; errors on the duplicate are returned, then thrown as
/// mpi::error, while the application's communicator keeps its error handler. MPI must be initialized, and not finalized
/// before the group ends. Throws std::invalid_argument for MPI_COMM_NULL and for an inter-communicator, and
/// std::logic_error before MPI_Init and after MPI_Finalize.
class [[nodiscard]] group {
public:
    explicit group(MPI_Comm application) {
        detail::require_running(!detail::is_predefined(application));
        require_intra(application);
        check(MPI_Comm_dup(application, &comm_), "MPI_Comm_dup");
        check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
    }
    group(group&& other) noexcept
        : comm_{std::exchange(other.comm_, MPI_COMM_NULL)}, rank_{other.rank_}, size_{other.size_} {}
    group& operator=(group&&) = delete;
    ~group() {
        int finalized = 0;
        if (comm_ != MPI_COMM_NULL && MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) MPI_Comm_free(&comm_);
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// The duplicate: for the calls of a pattern of one's own.
    MPI_Comm comm() const { return comm_; }

    /// May several threads of this process call MPI, one at a time? True for MPI_THREAD_SERIALIZED and above, and in a
    /// session of MPI-4 without MPI_Init, whose level MPI does not tell.
    bool allows_threads() const {
        if (detail::why_not_running(false) != nullptr) return true;
        int level = MPI_THREAD_SINGLE;
        check(MPI_Query_thread(&level), "MPI_Query_thread");
        return level >= MPI_THREAD_SERIALIZED;
    }
    void barrier() const { check(MPI_Barrier(comm_), "MPI_Barrier"); }
    void all_reduce(std::span<double> values, reduction how) const {
        auto const op = how == reduction::sum ? MPI_SUM : how == reduction::min ? MPI_MIN : MPI_MAX;
        check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, comm_),
              "MPI_Allreduce");
    }

private:
    static void require_intra(MPI_Comm application) {
        if (application == MPI_COMM_NULL) throw std::invalid_argument{"sonde::mpi::group: the communicator is null"};
        int inter = 0;
        check(MPI_Comm_test_inter(application, &inter), "MPI_Comm_test_inter");
        if (inter != 0) throw std::invalid_argument{"sonde::mpi::group: an inter-communicator has no group of its own"};
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
};

/// A reference to a group that must outlive what is made from it: links, windows, files and collectives use the group's
/// communicator. A temporary group would free the communicator at once, so it does not compile.
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

} // namespace sonde::mpi
