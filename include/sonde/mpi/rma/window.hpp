// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace sonde::mpi {

/// Memory of every rank of a group that the others may access.
///
///     w.handle() -> MPI_Win
///     w.region() -> region           this rank's part; an opaque_region where the host must not dereference it
///     w.base(rank) -> MPI_Aint       displacement of the first byte of a rank's part; the unit is a byte
///     w.size(rank) -> std::size_t    bytes of a rank's part
template <class W>
concept Window = requires(W const& w) {
    { w.handle() } -> std::convertible_to<MPI_Win>;
    { w.region() } -> std::convertible_to<opaque_region>;
    { w.base(0) } -> std::convertible_to<MPI_Aint>;
    { w.size(0) } -> std::convertible_to<std::size_t>;
};

/// An argument whose handle may be kept: a window that is no temporary, or one that owns nothing, such as a section.
/// A temporary window that owns its memory would free it at once, so it does not compile.
template <class W>
concept ViewableWindow =
    Window<std::remove_cvref_t<W>> && (std::is_lvalue_reference_v<W> || std::is_trivially_destructible_v<W>);

/// What a window's own part is: a region where the host may dereference it, else an opaque one.
template <Window W>
using window_region =
    std::conditional_t<std::convertible_to<decltype(std::declval<W const&>().region()), region>, region, opaque_region>;

/// The same `bytes` from `first` on of every rank's part of a window: where several origins put, each needs a section
/// of its own. Refers to the window; holds fewer bytes, or none, where a rank's part ends earlier.
template <Window W>
class section {
public:
    section(W const& of, std::size_t first, std::size_t bytes) : whole_{&of}, first_{first}, bytes_{bytes} {}
    section(W const&& temporary, std::size_t first, std::size_t bytes) = delete;

    MPI_Win handle() const { return whole_->handle(); }
    window_region<W> region() const {
        window_region<W> const all = whole_->region();
        return all.subspan(all.size() < first_ ? all.size() : first_, within(all.size()));
    }
    MPI_Aint base(int rank) const { return whole_->base(rank) + static_cast<MPI_Aint>(first_); }
    std::size_t size(int rank) const { return within(whole_->size(rank)); }

private:
    std::size_t within(std::size_t all) const {
        auto const left = all < first_ ? 0 : all - first_;
        return left < bytes_ ? left : bytes_;
    }

    W const* whole_;
    std::size_t first_;
    std::size_t bytes_;
};

} // namespace sonde::mpi
