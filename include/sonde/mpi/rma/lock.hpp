// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace sonde::mpi {

enum class lock_type : int { shared = MPI_LOCK_SHARED, exclusive = MPI_LOCK_EXCLUSIVE };

namespace detail {

/// The window. Throws std::invalid_argument where it was told `no_locks`: some MPI libraries refuse locks then, others
/// let them pass.
inline MPI_Win lockable(MPI_Win win) {
    MPI_Info told = MPI_INFO_NULL;
    check(MPI_Win_get_info(win, &told), "MPI_Win_get_info");
    char value[8] = {};
    int found = 0;
    auto const code = MPI_Info_get(told, "no_locks", sizeof value - 1, value, &found);
    MPI_Info_free(&told);
    check(code, "MPI_Info_get");
    if (found != 0 && std::string_view{value} == "true")
        throw std::invalid_argument{"sonde::mpi: the window was told no_locks: it has no epochs of passive targets"};
    return win;
}

/// The targets in the order in which they are locked: exclusively, all origins go up the ranks, or two that wait for
/// each other's would wait for ever.
template <Targets T>
std::vector<int> to_lock(MPI_Win win, T const& targets, lock_type type) {
    auto ranks = ranks_of(targets, rank_group{lockable(win)});
    if (type == lock_type::exclusive) std::sort(ranks.begin(), ranks.end());
    return ranks;
}

} // namespace detail

/// MPI_Win_lock and MPI_Win_unlock of every target, by the origin.
///
/// What is thrown between `open` and `close` leaves the targets locked: to unlock is to complete what failed, which may
/// wait for ever. End the job then (`mpi::guarded`); who goes on calls `close` first, as for every epoch.
class lock {
public:
    static constexpr bool passive = true;

    lock(ViewableWindow auto&& w, Targets auto const& targets, lock_type type = lock_type::shared)
        : win_{w.handle()}, ranks_{detail::to_lock(win_, targets, type)}, type_{static_cast<int>(type)} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::accesses)
            for (auto const rank : ranks_) check(MPI_Win_lock(type_, rank, 0, win_), "MPI_Win_lock");
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses)
            for (auto const rank : ranks_) check(MPI_Win_unlock(rank, win_), "MPI_Win_unlock");
    }

private:
    MPI_Win win_;
    std::vector<int> ranks_;
    int type_;
};

/// MPI_Win_lock_all and MPI_Win_unlock_all, by the origin.
class lock_all {
public:
    static constexpr bool passive = true;

    explicit lock_all(ViewableWindow auto&& w) : win_{detail::lockable(w.handle())} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_lock_all(0, win_), "MPI_Win_lock_all");
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_unlock_all(win_), "MPI_Win_unlock_all");
    }

private:
    MPI_Win win_;
};

} // namespace sonde::mpi
