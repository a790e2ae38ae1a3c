// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/company.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// A window, freed at the end, which is collective over its group. Errors are returned, and thrown as mpi::error.
///
/// Should an exception end it, on all ranks it is freed as well; on one rank alone it is left, because MPI_Win_free
/// waits for the others, and this rank would never say what happened. The group must outlive it.
template <class Region>
class basic_owned_window {
public:
    basic_owned_window(basic_owned_window&& other) noexcept
        : comm_{other.comm_}, win_{std::exchange(other.win_, MPI_WIN_NULL)}, own_{std::exchange(other.own_, {})},
          sizes_{std::move(other.sizes_)}, exceptions_{other.exceptions_} {}
    basic_owned_window& operator=(basic_owned_window&&) = delete;
    ~basic_owned_window() {
        if (win_ == MPI_WIN_NULL) return;
        if (std::uncaught_exceptions() == exceptions_ || detail::all_come(comm_)) MPI_Win_free(&win_);
    }
    MPI_Win handle() const { return win_; }
    Region region() const { return own_; }
    MPI_Aint base(int) const { return 0; }
    std::size_t size(int rank) const { return static_cast<std::size_t>(sizes_[static_cast<std::size_t>(rank)]); }

protected:
    explicit basic_owned_window(group_ref ranks) : comm_{ranks.comm()} {}

    /// `make_window(MPI_Win*)` -> code.
    template <class Make>
    void make(Make make_window, char const* routine) {
        check(make_window(&win_), routine);
        check(MPI_Win_set_errhandler(win_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    }
    /// This rank's part; all ranks learn how many bytes the others have. Collective over the group.
    void hold(Region own) {
        own_ = own;
        sizes_ = gathered(static_cast<MPI_Aint>(own.size()));
    }
    /// Every rank's value. Collective over the group.
    std::vector<MPI_Aint> gathered(MPI_Aint mine) const {
        int ranks = 0;
        check(MPI_Comm_size(comm_, &ranks), "MPI_Comm_size");
        std::vector<MPI_Aint> all(static_cast<std::size_t>(ranks));
        check(MPI_Allgather(&mine, 1, MPI_AINT, all.data(), 1, MPI_AINT, comm_), "MPI_Allgather");
        return all;
    }
    MPI_Comm comm() const { return comm_; }

private:
    MPI_Comm comm_;
    MPI_Win win_ = MPI_WIN_NULL;
    Region own_;
    std::vector<MPI_Aint> sizes_;
    int exceptions_ = std::uncaught_exceptions();
};
using owned_window = basic_owned_window<region>;

} // namespace sonde::mpi
