// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/group.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/rma/hints.hpp>
#include <sonde/mpi/rma/owned_window.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

// MPI 4.0, 12.2. All are collective over their group.

namespace sonde::mpi {

namespace detail {

/// Throws device_refused, on all ranks where on one: it must not leave the others waiting in the window's making.
/// Collective over the group, unless the host may dereference the bytes.
inline void require_passable(group const&, region) {}
inline void require_passable(group const& ranks, opaque_region own) {
    double any = refused(own) ? 1 : 0;
    ranks.all_reduce({&any, 1}, reduction::max);
    if (any != 0) throw device_refused{};
}

} // namespace detail

/// MPI_Win_create: over memory of the caller's, of any kind. Throws device_refused, on all ranks, where that of one is
/// a device's and the MPI library does not take it.
template <class Region>
class [[nodiscard]] basic_created_window : public basic_owned_window<Region> {
public:
    basic_created_window(group_ref ranks, Region own, hints const& told = {}) : basic_owned_window<Region>{ranks} {
        detail::require_passable(ranks, own);
        detail::info const info{told};
        auto const bytes = static_cast<MPI_Aint>(own.size());
        auto const create = [&](MPI_Win* made) {
            return MPI_Win_create(own.data(), bytes, 1, info.get(), this->comm(), made);
        };
        this->make(create, "MPI_Win_create");
        this->hold(own);
    }
};
using created_window = basic_created_window<region>;
using opaque_created_window = basic_created_window<opaque_region>;

/// MPI_Win_allocate: over memory that the MPI library takes, in whole cache lines.
class [[nodiscard]] allocated_window : public owned_window {
public:
    allocated_window(group_ref ranks, std::size_t bytes, hints const& told = {}) : owned_window{ranks} {
        detail::info const info{told};
        std::byte* memory = nullptr;
        auto const allocate = [&](MPI_Win* made) {
            return MPI_Win_allocate(whole_lines(bytes), 1, info.get(), comm(), &memory, made);
        };
        make(allocate, "MPI_Win_allocate");
        hold({memory, bytes});
    }

private:
    // MPICH 4.0.2 takes other ranks' parts on a node to begin at multiples of 16 bytes, where they do not where a size
    // is none: what is put into the next rank's part lands at the end of one's own.
    static MPI_Aint whole_lines(std::size_t bytes) { return static_cast<MPI_Aint>((bytes + 63) / 64 * 64); }
};

/// MPI_Win_allocate_shared: over memory that the ranks of a node share. Throws mpi::error where they share none.
class [[nodiscard]] shared_window : public owned_window {
public:
    shared_window(group_ref ranks, std::size_t bytes, hints const& told = {}) : owned_window{ranks} {
        detail::info const info{told};
        std::byte* memory = nullptr;
        auto const allocate = [&](MPI_Win* made) {
            return MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info.get(), comm(), &memory, made);
        };
        make(allocate, "MPI_Win_allocate_shared");
        hold({memory, bytes});
    }
};

/// MPI_Win_create_dynamic: memory of the caller's is attached, and all ranks learn where the others' lies. It is
/// detached when the window is freed, not before: another rank may still access it. Throws device_refused as above.
template <class Region>
class [[nodiscard]] basic_dynamic_window : public basic_owned_window<Region> {
public:
    basic_dynamic_window(group_ref ranks, Region own, hints const& told = {}) : basic_owned_window<Region>{ranks} {
        detail::require_passable(ranks, own);
        detail::info const info{told};
        auto const create = [&](MPI_Win* made) { return MPI_Win_create_dynamic(info.get(), this->comm(), made); };
        this->make(create, "MPI_Win_create_dynamic");
        this->hold(own);
        attach(own);
        MPI_Aint address = 0;
        check(MPI_Get_address(own.data(), &address), "MPI_Get_address");
        bases_ = this->gathered(address);
    }
    MPI_Aint base(int rank) const { return bases_[static_cast<std::size_t>(rank)]; }

private:
    void attach(Region own) {
        if (own.empty()) return;
        check(MPI_Win_attach(this->handle(), own.data(), static_cast<MPI_Aint>(own.size())), "MPI_Win_attach");
    }

    std::vector<MPI_Aint> bases_;
};
using dynamic_window = basic_dynamic_window<region>;
using opaque_dynamic_window = basic_dynamic_window<opaque_region>;

} // namespace sonde::mpi
