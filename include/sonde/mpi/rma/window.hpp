// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/rma/hints.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Memory of every rank of a group that the others may access.
///
///     w.handle() -> MPI_Win
///     w.region() -> region           this rank's part
///     w.base(rank) -> MPI_Aint       displacement of the first byte of a rank's part; the unit is a byte
///     w.size(rank) -> std::size_t    bytes of a rank's part
template <class W>
concept Window = requires(W const& w) {
    { w.handle() } -> std::convertible_to<MPI_Win>;
    { w.region() } -> std::convertible_to<region>;
    { w.base(0) } -> std::convertible_to<MPI_Aint>;
    { w.size(0) } -> std::convertible_to<std::size_t>;
};

/// A window, freed at the end, which is collective over its group. Errors are returned, and thrown as mpi::error.
class owned_window {
public:
    owned_window(owned_window&& other) noexcept
        : win_{std::exchange(other.win_, MPI_WIN_NULL)}, own_{other.own_}, sizes_{std::move(other.sizes_)} {}
    owned_window& operator=(owned_window&&) = delete;
    ~owned_window() {
        if (win_ != MPI_WIN_NULL) MPI_Win_free(&win_);
    }
    MPI_Win handle() const { return win_; }
    sonde::region region() const { return own_; }
    MPI_Aint base(int) const { return 0; }
    std::size_t size(int rank) const { return static_cast<std::size_t>(sizes_[static_cast<std::size_t>(rank)]); }

protected:
    owned_window() = default;

    /// `make_window(void** memory, MPI_Win*)` -> code; memory that it leaves as it is, is the caller's own.
    template <class Make>
    void make(group const& ranks, sonde::region own, Make make_window, char const* routine) {
        void* memory = own.data();
        check(make_window(&memory, &win_), routine);
        check(MPI_Win_set_errhandler(win_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
        own_ = {static_cast<std::byte*>(memory), own.size()};
        sizes_ = gathered(ranks, static_cast<MPI_Aint>(own.size()));
    }
    static std::vector<MPI_Aint> gathered(group const& ranks, MPI_Aint mine) {
        std::vector<MPI_Aint> all(static_cast<std::size_t>(ranks.size()));
        check(MPI_Allgather(&mine, 1, MPI_AINT, all.data(), 1, MPI_AINT, ranks.comm()), "MPI_Allgather");
        return all;
    }

private:
    MPI_Win win_ = MPI_WIN_NULL;
    sonde::region own_;
    std::vector<MPI_Aint> sizes_;
};

/// MPI_Win_create: over memory of the caller's, of any kind. Collective over the group.
class created_window : public owned_window {
public:
    created_window(group const& ranks, sonde::region own, hints const& told = {}) {
        detail::info const info{told};
        auto const create = [&](void** memory, MPI_Win* made) {
            return MPI_Win_create(*memory, static_cast<MPI_Aint>(own.size()), 1, info.get(), ranks.comm(), made);
        };
        make(ranks, own, create, "MPI_Win_create");
    }
};

/// MPI_Win_allocate: over memory that the MPI library takes. Collective over the group.
class allocated_window : public owned_window {
public:
    allocated_window(group const& ranks, std::size_t bytes, hints const& told = {}) {
        detail::info const info{told};
        auto const allocate = [&](void** memory, MPI_Win* made) {
            return MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, info.get(), ranks.comm(), memory, made);
        };
        make(ranks, {static_cast<std::byte*>(nullptr), bytes}, allocate, "MPI_Win_allocate");
    }
};

/// MPI_Win_allocate_shared: over memory that the ranks of a node share. Collective over the group; mpi::error where
/// they share none.
class shared_window : public owned_window {
public:
    shared_window(group const& ranks, std::size_t bytes, hints const& told = {}) {
        detail::info const info{told};
        auto const allocate = [&](void** memory, MPI_Win* made) {
            return MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info.get(), ranks.comm(), memory, made);
        };
        make(ranks, {static_cast<std::byte*>(nullptr), bytes}, allocate, "MPI_Win_allocate_shared");
    }
};

/// MPI_Win_create_dynamic: memory of the caller's is attached, and all ranks learn where the others' lies. Collective
/// over the group.
class dynamic_window : public owned_window {
public:
    dynamic_window(group const& ranks, sonde::region own, hints const& told = {}) {
        detail::info const info{told};
        auto const create = [&](void**, MPI_Win* made) {
            return MPI_Win_create_dynamic(info.get(), ranks.comm(), made);
        };
        make(ranks, own, create, "MPI_Win_create_dynamic");
        check(MPI_Win_attach(handle(), own.data(), static_cast<MPI_Aint>(own.size())), "MPI_Win_attach");
        MPI_Aint address = 0;
        check(MPI_Get_address(own.data(), &address), "MPI_Get_address");
        bases_ = gathered(ranks, address);
    }
    dynamic_window(dynamic_window&&) = default;
    ~dynamic_window() {
        if (handle() != MPI_WIN_NULL) MPI_Win_detach(handle(), region().data());
    }
    MPI_Aint base(int rank) const { return bases_[static_cast<std::size_t>(rank)]; }

private:
    std::vector<MPI_Aint> bases_;
};

} // namespace sonde::mpi
