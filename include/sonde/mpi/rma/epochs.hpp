// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/patterns/rma.hpp>

#include <mpi.h>

#include <utility>

// MPI 4.0, 12.5. An epoch refers to its window, which must outlive it.

namespace sonde::mpi {

/// Is the target passive, so that requests of single operations may be waited for (MPI 4.0, 12.3.5)?
template <class E>
concept PassiveEpoch = Epoch<E> && requires { requires E::passive; };

/// MPI_Win_fence before and after, on all ranks of the window, whatever their side.
class fence {
public:
    static constexpr bool passive = false;

    /// Assertions (MPI_MODE_...) of the fences that open and close.
    explicit fence(Window auto const& w, int opening = 0, int closing = 0)
        : win_{w.handle()}, opening_{opening}, closing_{closing} {}
    void open(auto) const { check(MPI_Win_fence(opening_, win_), "MPI_Win_fence"); }
    void close(auto) const { check(MPI_Win_fence(closing_, win_), "MPI_Win_fence"); }
    void turn(auto, auto) const { check(MPI_Win_fence(0, win_), "MPI_Win_fence"); } // one fence is both

private:
    MPI_Win win_;
    int opening_;
    int closing_;
};

/// origin: MPI_Win_start, MPI_Win_complete.   target: MPI_Win_post, MPI_Win_wait.
class pscw {
public:
    static constexpr bool passive = false;

    /// `others`: the targets of an origin, the origins of a target.
    template <Targets T>
    pscw(group const& ranks, Window auto const& w, T const& others) : win_{w.handle()}, others_{ranks, others} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::exposes) check(MPI_Win_post(others_.get(), 0, win_), "MPI_Win_post");
        if constexpr (Side::accesses) check(MPI_Win_start(others_.get(), 0, win_), "MPI_Win_start");
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_complete(win_), "MPI_Win_complete");
        if constexpr (Side::exposes) check(MPI_Win_wait(win_), "MPI_Win_wait");
    }

private:
    MPI_Win win_;
    detail::target_group others_;
};

enum class lock_type : int { shared = MPI_LOCK_SHARED, exclusive = MPI_LOCK_EXCLUSIVE };

/// MPI_Win_lock and MPI_Win_unlock of every target, by the origin.
template <Targets T = peer>
class lock {
public:
    static constexpr bool passive = true;

    lock(Window auto const& w, T targets, lock_type type = lock_type::shared)
        : win_{w.handle()}, targets_{std::move(targets)}, type_{type} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::accesses)
            targets_.each([this](int r) { check(MPI_Win_lock(static_cast<int>(type_), r, 0, win_), "MPI_Win_lock"); });
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses)
            targets_.each([this](int r) { check(MPI_Win_unlock(r, win_), "MPI_Win_unlock"); });
    }

private:
    MPI_Win win_;
    T targets_;
    lock_type type_;
};
template <class W, class T>
lock(W const&, T) -> lock<T>;
template <class W, class T>
lock(W const&, T, lock_type) -> lock<T>;

/// MPI_Win_lock_all and MPI_Win_unlock_all, by the origin.
class lock_all {
public:
    static constexpr bool passive = true;

    explicit lock_all(Window auto const& w) : win_{w.handle()} {}
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

namespace detail {

/// Locks that last as long as the epoch's object does; none on a rank that is only a target.
template <Targets T>
class lasting_locks {
public:
    lasting_locks(MPI_Win win, T targets, lock_type type) : win_{win}, targets_{std::move(targets)} {
        targets_.each([&](int r) { check(MPI_Win_lock(static_cast<int>(type), r, 0, win_), "MPI_Win_lock"); });
    }
    lasting_locks(lasting_locks&& other) noexcept
        : win_{std::exchange(other.win_, MPI_WIN_NULL)}, targets_{std::move(other.targets_)} {}
    lasting_locks& operator=(lasting_locks&&) = delete;
    ~lasting_locks() {
        if (win_ != MPI_WIN_NULL) targets_.each([this](int r) { MPI_Win_unlock(r, win_); });
    }
    MPI_Win win() const { return win_; }
    T const& targets() const { return targets_; }

private:
    MPI_Win win_;
    T targets_;
};

/// MPI_Win_lock_all for as long as the object lasts.
class lasting_lock_all {
public:
    explicit lasting_lock_all(MPI_Win win) : win_{win} { check(MPI_Win_lock_all(0, win_), "MPI_Win_lock_all"); }
    lasting_lock_all(lasting_lock_all&& other) noexcept : win_{std::exchange(other.win_, MPI_WIN_NULL)} {}
    lasting_lock_all& operator=(lasting_lock_all&&) = delete;
    ~lasting_lock_all() {
        if (win_ != MPI_WIN_NULL) MPI_Win_unlock_all(win_);
    }
    MPI_Win win() const { return win_; }

private:
    MPI_Win win_;
};

/// Completes what goes to each of some targets, under locks that last as long as the object.
template <class Call, Targets T>
class flushing_each {
public:
    static constexpr bool passive = true;

    flushing_each(Window auto const& w, T targets, lock_type type = lock_type::shared)
        : locks_{w.handle(), std::move(targets), type} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses)
            locks_.targets().each([this](int r) { check(Call::call(r, locks_.win()), Call::name); });
    }

private:
    lasting_locks<T> locks_;
};

/// Completes what goes to all, under a lock of all that lasts as long as the object.
template <class Call>
class flushing_all {
public:
    static constexpr bool passive = true;

    explicit flushing_all(Window auto const& w) : lock_{w.handle()} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) check(Call::call(lock_.win()), Call::name);
    }

private:
    lasting_lock_all lock_;
};

struct flush_call {
    static constexpr auto name = "MPI_Win_flush";
    static int call(int rank, MPI_Win win) { return MPI_Win_flush(rank, win); }
};
struct flush_local_call {
    static constexpr auto name = "MPI_Win_flush_local";
    static int call(int rank, MPI_Win win) { return MPI_Win_flush_local(rank, win); }
};
struct flush_all_call {
    static constexpr auto name = "MPI_Win_flush_all";
    static int call(MPI_Win win) { return MPI_Win_flush_all(win); }
};
struct flush_local_all_call {
    static constexpr auto name = "MPI_Win_flush_local_all";
    static int call(MPI_Win win) { return MPI_Win_flush_local_all(win); }
};

} // namespace detail

/// MPI_Win_flush of every target: complete there. A rank that is only a target locks nobody: `peer{-1}`.
template <Targets T = peer>
class flush : public detail::flushing_each<detail::flush_call, T> {
public:
    using detail::flushing_each<detail::flush_call, T>::flushing_each;
};
template <class W, class T>
flush(W const&, T) -> flush<T>;
template <class W, class T>
flush(W const&, T, lock_type) -> flush<T>;

/// MPI_Win_flush_local of every target: complete at the origin, whose buffers are free again, not at the target.
template <Targets T = peer>
class flush_local : public detail::flushing_each<detail::flush_local_call, T> {
public:
    using detail::flushing_each<detail::flush_local_call, T>::flushing_each;
};
template <class W, class T>
flush_local(W const&, T) -> flush_local<T>;
template <class W, class T>
flush_local(W const&, T, lock_type) -> flush_local<T>;

/// MPI_Win_flush_all: complete at all targets.
class flush_all : public detail::flushing_all<detail::flush_all_call> {
public:
    using flushing_all::flushing_all;
};

/// MPI_Win_flush_local_all: complete at the origin.
class flush_local_all : public detail::flushing_all<detail::flush_local_all_call> {
public:
    using flushing_all::flushing_all;
};

} // namespace sonde::mpi
