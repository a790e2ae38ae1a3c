// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/hints.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

#include <concepts>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

// Synchronization of one-sided communication (MPI 4.0, 12.5) as epochs. An epoch refers to its window, which must
// outlive it. All constructors of epochs with targets throw std::invalid_argument for a target outside of the window's
// group, and for a repeated target.

namespace sonde::inline v0_1::mpi {

/// MPI_Win_fence before and after the transfers. Collective over the window's group, on all sides of an epoch.
class fence {
public:
    /// Assertions (MPI_MODE_...) of the fences that open and close.
    explicit fence(ViewableWindow auto&& w, int opening = 0, int closing = 0)
        : win_{w.handle()}, opening_{opening}, closing_{closing} {}
    void open(auto) const { check(MPI_Win_fence(opening_, win_), "MPI_Win_fence"); }
    void close(auto) const { check(MPI_Win_fence(closing_, win_), "MPI_Win_fence"); }
    void close_and_open(auto, auto) const { check(MPI_Win_fence(0, win_), "MPI_Win_fence"); }

private:
    MPI_Win win_;
    int opening_;
    int closing_;
};

/// Post-start-complete-wait. Origins call MPI_Win_start and MPI_Win_complete, targets MPI_Win_post and MPI_Win_wait.
class pscw {
public:
    /// `others`: the targets of an origin, the origins of a target.
    pscw(ViewableWindow auto&& w, Targets auto const& others) : win_{w.handle()} {
        auto const all = detail::group_of(win_);
        auto const ranks = detail::ranks_of(others, all);
        check(MPI_Group_incl(all.get(), static_cast<int>(ranks.size()), ranks.data(), others_.address()),
              "MPI_Group_incl");
    }

    void open(auto side) const {
        if constexpr (side.exposes) check(MPI_Win_post(others_.get(), 0, win_), "MPI_Win_post");
        if constexpr (side.accesses) check(MPI_Win_start(others_.get(), 0, win_), "MPI_Win_start");
    }
    void close(auto side) const {
        if constexpr (side.accesses) check(MPI_Win_complete(win_), "MPI_Win_complete");
        if constexpr (side.exposes) check(MPI_Win_wait(win_), "MPI_Win_wait");
    }

private:
    MPI_Win win_;
    detail::owned_handle<MPI_Group> others_{MPI_GROUP_NULL, detail::release_group};
};

/// Kind of a lock of MPI_Win_lock.
enum class lock_type : int { shared = MPI_LOCK_SHARED, exclusive = MPI_LOCK_EXCLUSIVE };

namespace detail {

/// Returns the window. Throws std::invalid_argument if it has the info hint `no_locks`, because some MPI libraries then
/// refuse locks and others accept them.
inline MPI_Win require_lockable(MPI_Win win) {
    owned_handle<MPI_Info> info{MPI_INFO_NULL, MPI_Info_free};
    check(MPI_Win_get_info(win, info.address()), "MPI_Win_get_info");
    if (hint_in(info.get(), "no_locks") == "true")
        throw std::invalid_argument{"sonde::mpi: the window has the hint no_locks, so it has no passive-target epochs"};
    return win;
}

/// The ranks to lock, in order. All origins take exclusive locks in ascending order of ranks, because two origins that
/// wait for each other's target would deadlock.
std::vector<int> lock_order(MPI_Win win, Targets auto const& targets, lock_type type) {
    auto ranks = ranks_of(targets, group_of(require_lockable(win)));
    if (type != lock_type::exclusive) return ranks;
    return sonde::detail::sorted(std::move(ranks), [](int x, int y) { return x < y; });
}

} // namespace detail

/// MPI_Win_lock and MPI_Win_unlock of every target, called by the origin.
///
/// An exception between `open` and `close` leaves the targets locked, because MPI_Win_unlock would first complete the
/// failed transfers and could wait forever. Then end the job (`mpi::abort_on_exception`), or call `close`, as for any
/// epoch.
class lock {
public:
    static constexpr bool passive = true;

    lock(ViewableWindow auto&& w, Targets auto const& targets, lock_type type = lock_type::shared)
        : win_{w.handle()}, ranks_{detail::lock_order(win_, targets, type)}, type_{static_cast<int>(type)} {}
    void open(auto side) const {
        if constexpr (side.accesses)
            for (auto const rank : ranks_) check(MPI_Win_lock(type_, rank, 0, win_), "MPI_Win_lock");
    }
    void close(auto side) const {
        if constexpr (side.accesses)
            for (auto const rank : ranks_) check(MPI_Win_unlock(rank, win_), "MPI_Win_unlock");
    }

private:
    MPI_Win win_;
    std::vector<int> ranks_;
    int type_;
};

/// MPI_Win_lock_all and MPI_Win_unlock_all, called by the origin.
class lock_all {
public:
    static constexpr bool passive = true;

    explicit lock_all(ViewableWindow auto&& w) : win_{detail::require_lockable(w.handle())} {}
    void open(auto side) const {
        if constexpr (side.accesses) check(MPI_Win_lock_all(0, win_), "MPI_Win_lock_all");
    }
    void close(auto side) const {
        if constexpr (side.accesses) check(MPI_Win_unlock_all(win_), "MPI_Win_unlock_all");
    }

private:
    MPI_Win win_;
};

/// Locks of some targets from construction to destruction, for epochs that open and close under them.
class [[nodiscard]] scoped_locks {
public:
    scoped_locks(ViewableWindow auto&& w, Targets auto const& targets, lock_type type) : scoped_locks{w.handle()} {
        auto const ranks = detail::lock_order(win_, targets, type);
        locked_.reserve(ranks.size()); // nothing throws between a lock and its record
        for (auto const rank : ranks) {
            check(MPI_Win_lock(static_cast<int>(type), rank, 0, win_), "MPI_Win_lock");
            locked_.push_back(rank);
        }
    }
    scoped_locks(scoped_locks&& other) noexcept : win_{other.win_}, locked_{std::exchange(other.locked_, {})} {}
    scoped_locks& operator=(scoped_locks&&) = delete;
    ~scoped_locks() {
        for (auto const rank : locked_) MPI_Win_unlock(rank, win_);
    }
    /// The window.
    MPI_Win win() const { return win_; }

private:
    explicit scoped_locks(MPI_Win win) : win_{win} {} // the destructor unlocks the first targets if a later lock fails

    MPI_Win win_;
    std::vector<int> locked_;
};

/// A lock of all ranks of the window from construction to destruction.
class [[nodiscard]] scoped_lock_all {
public:
    explicit scoped_lock_all(ViewableWindow auto&& w) {
        auto const win = detail::require_lockable(w.handle());
        check(MPI_Win_lock_all(0, win), "MPI_Win_lock_all");
        *win_.address() = win;
    }
    /// The window.
    MPI_Win win() const { return win_.get(); }

private:
    detail::owned_handle<MPI_Win> win_{MPI_WIN_NULL, [](MPI_Win* win) { return MPI_Win_unlock_all(*win); }};
};

namespace detail {

inline void win_flush(int rank, MPI_Win win) { check(MPI_Win_flush(rank, win), "MPI_Win_flush"); }
inline void win_flush_local(int rank, MPI_Win win) { check(MPI_Win_flush_local(rank, win), "MPI_Win_flush_local"); }
inline void win_flush_all(MPI_Win win) { check(MPI_Win_flush_all(win), "MPI_Win_flush_all"); }
inline void win_flush_local_all(MPI_Win win) { check(MPI_Win_flush_local_all(win), "MPI_Win_flush_local_all"); }

struct all_ranks {};

/// An epoch that closes by a flush of its targets or of all ranks, under locks that last as long as the object. A rank
/// that is only a target locks nothing: `peer{-1}`. An exclusive lock keeps all other origins waiting until the object
/// is destroyed.
template <auto Flush, class T>
class flush_epoch {
public:
    static constexpr bool passive = true;

    flush_epoch(ViewableWindow auto&& w, T targets, lock_type type)
        requires Targets<T>
        : locks_{w, targets, type}, targets_{std::move(targets)} {}
    explicit flush_epoch(ViewableWindow auto&& w)
        requires std::same_as<T, all_ranks>
        : locks_{w} {}
    void open(auto) const {}
    void close(auto side) const {
        if constexpr (side.accesses && Targets<T>) targets_.each([this](int rank) { Flush(rank, locks_.win()); });
        else if constexpr (side.accesses) Flush(locks_.win());
    }

private:
    std::conditional_t<Targets<T>, scoped_locks, scoped_lock_all> locks_;
    [[no_unique_address]] T targets_;
};

} // namespace detail

/// MPI_Win_flush of every target: the transfers are complete at the origin and at the target.
template <Targets T = peer>
struct flush : detail::flush_epoch<detail::win_flush, T> {
    flush(ViewableWindow auto&& w, T targets, lock_type type = lock_type::shared)
        : flush::flush_epoch{w, std::move(targets), type} {}
};

/// MPI_Win_flush_local of every target: the transfers are complete at the origin, whose buffers may be reused.
template <Targets T = peer>
struct flush_local : detail::flush_epoch<detail::win_flush_local, T> {
    flush_local(ViewableWindow auto&& w, T targets, lock_type type = lock_type::shared)
        : flush_local::flush_epoch{w, std::move(targets), type} {}
};

/// MPI_Win_flush_all under MPI_Win_lock_all: the transfers are complete at all targets.
using flush_all = detail::flush_epoch<detail::win_flush_all, detail::all_ranks>;

/// MPI_Win_flush_local_all under MPI_Win_lock_all: the transfers are complete at the origin.
using flush_local_all = detail::flush_epoch<detail::win_flush_local_all, detail::all_ranks>;

} // namespace sonde::mpi
