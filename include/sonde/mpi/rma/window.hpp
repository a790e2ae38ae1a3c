// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/hints.hpp>
#include <sonde/mpi/memory.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// An RMA window: memory on every rank of a group that the other ranks may access.
///
///     w.handle() -> MPI_Win
///     w.region() -> region           this rank's window memory; an opaque_region if the host must not dereference it
///     w.base(rank) -> MPI_Aint       displacement of the first byte of a rank's window memory, in bytes
///     w.size(rank) -> std::size_t    bytes of a rank's window memory
template <class W>
concept Window = requires(W const& w) {
    { w.handle() } -> std::convertible_to<MPI_Win>;
    { w.region() } -> std::convertible_to<opaque_region>;
    { w.base(0) } -> std::convertible_to<MPI_Aint>;
    { w.size(0) } -> std::convertible_to<std::size_t>;
};

/// An argument whose MPI_Win may be kept: an lvalue, or a window that owns nothing (a section). A temporary window that
/// owns its memory would free it at once, so it does not compile.
template <class W>
concept ViewableWindow =
    Window<std::remove_cvref_t<W>> && (std::is_lvalue_reference_v<W> || std::is_trivially_destructible_v<W>);

/// The type of a window's local memory: region if the host may dereference it, otherwise opaque_region.
template <Window W>
using window_region =
    std::conditional_t<std::convertible_to<decltype(std::declval<W const&>().region()), region>, region, opaque_region>;

namespace detail {

/// The displacement `bytes` behind `base`, which is an absolute address of another rank in a dynamic window. The sum is
/// that of MPI_Aint_add, even where a signed sum would overflow (MPI 3.1, 4.1.5), but needs no call into the library
/// for each transfer.
constexpr MPI_Aint displaced(MPI_Aint base, std::size_t bytes) {
    return static_cast<MPI_Aint>(static_cast<std::size_t>(base) + bytes);
}

} // namespace detail

/// A view of the same range of every rank's window memory: `bytes` bytes from byte `first` on, or fewer if a rank's
/// memory ends earlier. Origins that put into one window need a section each. Refers to the window.
template <Window W>
class section {
public:
    section(W const& window, std::size_t first, std::size_t bytes) : window_{&window}, first_{first}, bytes_{bytes} {}
    section(W const&& temporary, std::size_t first, std::size_t bytes) = delete;

    MPI_Win handle() const { return window_->handle(); }
    window_region<W> region() const {
        window_region<W> const all = window_->region();
        return all.subspan(all.size() < first_ ? all.size() : first_, clipped(all.size()));
    }
    MPI_Aint base(int rank) const { return detail::displaced(window_->base(rank), first_); }
    std::size_t size(int rank) const { return clipped(window_->size(rank)); }

private:
    std::size_t clipped(std::size_t size) const {
        auto const left = size < first_ ? 0 : size - first_;
        return left < bytes_ ? left : bytes_;
    }

    W const* window_;
    std::size_t first_;
    std::size_t bytes_;
};

namespace detail {

/// A value of a rank (size or address) and the error class of its call. Ranks exchange them when they make a window.
struct window_status {
    MPI_Aint value = 0;
    MPI_Aint error_class = MPI_SUCCESS;
    MPI_Aint has_window = 0;
};

/// The statuses of all ranks. Collective over the communicator.
inline std::vector<window_status> exchange_statuses(MPI_Comm comm, window_status mine) {
    int ranks = 0;
    check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    std::vector<window_status> all(static_cast<std::size_t>(ranks));
    constexpr int n = sizeof mine / sizeof mine.value;
    check(MPI_Allgather(&mine, n, MPI_AINT, all.data(), n, MPI_AINT, comm), "MPI_Allgather");
    return all;
}

} // namespace detail

/// An owned MPI_Win. Construction and destruction are collective over the group, which must outlive the window. Errors
/// of calls on the window are returned by MPI, and thrown as mpi::error; if one rank cannot make the window, all ranks
/// throw. If an exception destroys the object on one rank alone, the window is not freed there.
template <class Region>
class basic_owned_window {
public:
    MPI_Win handle() const { return win_.get(); }
    Region region() const { return handle() == MPI_WIN_NULL ? Region{} : region_; }
    MPI_Aint base(int) const { return 0; }
    std::size_t size(int rank) const { return static_cast<std::size_t>(sizes_[static_cast<std::size_t>(rank)]); }

protected:
    /// create(MPI_Info, MPI_Comm, Region*, MPI_Win*) -> int calls the MPI function `routine`, which makes the window.
    /// The local memory is `memory`, or `create` sets it to memory of the library.
    template <class Create>
    basic_owned_window(group_ref ranks, hints const& keys, Region memory, Create create, char const* routine)
        : comm_{ranks.comm()}, win_{MPI_WIN_NULL, {MPI_Win_free, comm_}}, region_{memory} {
        detail::require_on_all(ranks, detail::problem_of(keys));
        auto const info = detail::info_with(keys);
        auto code = create(info.get(), comm_, &region_, win_.address());
        auto const* latest = routine;
        if (code == MPI_SUCCESS) {
            code = MPI_Win_set_errhandler(handle(), MPI_ERRORS_RETURN);
            latest = "MPI_Win_set_errhandler";
        }
        sizes_ = exchange(static_cast<MPI_Aint>(region_.size()), code, latest, routine);
    }
    /// A window over memory that allocate(size, 1, MPI_Info, MPI_Comm, &memory, MPI_Win*) of the MPI library allocates.
    basic_owned_window(group_ref ranks, hints const& keys, std::size_t bytes, std::size_t size, auto allocate,
                       char const* routine)
        : basic_owned_window{ranks, keys, Region{},
                             [&](MPI_Info info, MPI_Comm comm, Region* memory, MPI_Win* win) {
                                 std::byte* start = nullptr;
                                 auto const code = allocate(static_cast<MPI_Aint>(size), 1, info, comm, &start, win);
                                 if (code == MPI_SUCCESS) *memory = Region{start, bytes};
                                 return code;
                             },
                             routine} {}
    /// The values of all ranks, in rank order. Throws mpi::error on all ranks if `code`, the result of `routine`, is an
    /// error on any rank. A rank with an error throws its code; the other ranks throw the highest error class, as an
    /// error of `creation` if some rank has no window. If some rank has no window, the other ranks do not free theirs,
    /// because MPI_Win_free is collective.
    std::vector<MPI_Aint> exchange(MPI_Aint value, int code, char const* routine, char const* creation) {
        auto const mine = detail::window_status{value, detail::error_class_of(code), handle() != MPI_WIN_NULL};
        MPI_Aint error_class = MPI_SUCCESS;
        auto everywhere = true;
        std::vector<MPI_Aint> values;
        for (auto const& of_rank : detail::exchange_statuses(comm_, mine)) {
            values.push_back(of_rank.value);
            if (error_class < of_rank.error_class) error_class = of_rank.error_class;
            everywhere = everywhere && of_rank.has_window != 0;
        }
        if (!everywhere) *win_.address() = MPI_WIN_NULL;
        check(code, routine);
        check(static_cast<int>(error_class), everywhere ? routine : creation);
        return values;
    }

private:
    MPI_Comm comm_;
    detail::owned_handle<MPI_Win, detail::collective_release<MPI_Win>> win_;
    Region region_;
    std::vector<MPI_Aint> sizes_;
};
using owned_window = basic_owned_window<region>;

namespace detail {

/// Throws device_memory_unsupported on all ranks if the MPI library cannot access the memory of any rank, so that no
/// rank waits alone in the creation of the window. Collective over the group, except for memory of the host.
inline void require_supported_on_all(group const&, region) {}
inline void require_supported_on_all(group const& ranks, opaque_region memory) {
    double any = is_unsupported(memory) ? 1 : 0;
    ranks.all_reduce({&any, 1}, reduction::max);
    if (any != 0) throw device_memory_unsupported{};
}

} // namespace detail

/// MPI_Win_create: a window over the caller's memory, of any kind. Throws device_memory_unsupported, on all ranks, if
/// the memory of one rank is on a device and the MPI library does not take device addresses.
template <class Region>
class [[nodiscard]] basic_created_window : public basic_owned_window<Region> {
public:
    basic_created_window(group_ref ranks, Region memory, hints const& keys = {})
        : basic_owned_window<Region>{ranks, keys, memory,
                                     [&](MPI_Info info, MPI_Comm comm, Region* all, MPI_Win* win) {
                                         detail::require_supported_on_all(ranks, *all);
                                         auto const bytes = static_cast<MPI_Aint>(all->size());
                                         return MPI_Win_create(all->data(), bytes, 1, info, comm, win);
                                     },
                                     "MPI_Win_create"} {}
};
using created_window = basic_created_window<region>;
using opaque_created_window = basic_created_window<opaque_region>;

/// MPI_Win_allocate: a window over memory that the MPI library allocates, in whole cache lines.
class [[nodiscard]] allocated_window : public owned_window {
public:
    // MPICH 4.0.2 assumes that the memory of each rank on a node begins at a multiple of 16 bytes. If a size is no such
    // multiple, data that is put into the next rank's memory lands at the end of this rank's.
    allocated_window(group_ref ranks, std::size_t bytes, hints const& keys = {})
        : owned_window{ranks, keys, bytes, (bytes + 63) / 64 * 64, MPI_Win_allocate, "MPI_Win_allocate"} {}
};

/// MPI_Win_allocate_shared: a window over memory shared by the ranks of a node. Throws mpi::error if the ranks cannot
/// share memory.
class [[nodiscard]] shared_window : public owned_window {
public:
    shared_window(group_ref ranks, std::size_t bytes, hints const& keys = {})
        : owned_window{ranks, keys, bytes, bytes, MPI_Win_allocate_shared, "MPI_Win_allocate_shared"} {}
};

/// MPI_Win_create_dynamic: a window to which the caller's memory is attached; the ranks exchange its addresses. The
/// memory is detached when the window is freed, not before, because another rank may still access it. Throws
/// device_memory_unsupported as basic_created_window does.
template <class Region>
class [[nodiscard]] basic_dynamic_window : public basic_owned_window<Region> {
public:
    basic_dynamic_window(group_ref ranks, Region memory, hints const& keys = {})
        : basic_owned_window<Region>{ranks, keys, memory,
                                     [&](MPI_Info info, MPI_Comm comm, Region* all, MPI_Win* win) {
                                         detail::require_supported_on_all(ranks, *all);
                                         return MPI_Win_create_dynamic(info, comm, win);
                                     },
                                     "MPI_Win_create_dynamic"} {
        auto const bytes = static_cast<MPI_Aint>(memory.size());
        auto const code = bytes == 0 ? MPI_SUCCESS : MPI_Win_attach(this->handle(), memory.data(), bytes);
        MPI_Aint address = 0;
        if (code == MPI_SUCCESS) MPI_Get_address(memory.data(), &address); // it cannot fail for memory of this process
        bases_ = this->exchange(address, code, "MPI_Win_attach", "MPI_Win_attach");
    }
    /// Displacement of the first byte of a rank's window memory.
    MPI_Aint base(int rank) const { return bases_[static_cast<std::size_t>(rank)]; }

private:
    std::vector<MPI_Aint> bases_;
};
using dynamic_window = basic_dynamic_window<region>;
using opaque_dynamic_window = basic_dynamic_window<opaque_region>;

} // namespace sonde::mpi
