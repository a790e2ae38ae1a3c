// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../memory.hpp"
#include "choices.hpp"

#include <sonde/buffer.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <cstddef>
#include <span>
#include <variant>

namespace osu {

/// A window of the kind that `-w` says; its memory is its own, of any kind, or the MPI library's. Asked before the
/// clock only.
class chosen_window {
public:
    /// Over `own`; `allocate`, which has none: over so many bytes of the host. Collective over the group.
    chosen_window(sonde::mpi::group const& ranks, creation how, std::size_t bytes, placement where,
                  sonde::allocation<memory> own)
        : memory_{where}, own_{std::move(own)}, window_{made(ranks, how, bytes)} {}

    MPI_Win handle() const {
        return std::visit([](auto const& w) { return w.handle(); }, window_);
    }
    sonde::opaque_region region() const {
        return std::visit([](auto const& w) -> sonde::opaque_region { return w.region(); }, window_);
    }
    MPI_Aint base(int rank) const {
        return std::visit([=](auto const& w) { return w.base(rank); }, window_);
    }
    std::size_t size(int rank) const {
        return std::visit([=](auto const& w) { return w.size(rank); }, window_);
    }

    // This rank's part.
    void fill(std::byte value) const { memory_.fill(region(), value); }
    void write(std::span<std::byte const> from) const { memory_.write(region().first(from.size()), from); }
    void read(sonde::region into) const { memory_.read(into, region().first(into.size())); }

private:
    using any = std::variant<sonde::mpi::opaque_created_window, sonde::mpi::allocated_window,
                             sonde::mpi::opaque_dynamic_window>;

    any made(sonde::mpi::group const& ranks, creation how, std::size_t bytes) const {
        if (how == creation::create) return sonde::mpi::opaque_created_window{ranks, own_.bytes()};
        if (how == creation::dynamic) return sonde::mpi::opaque_dynamic_window{ranks, own_.bytes()};
        return sonde::mpi::allocated_window{ranks, bytes};
    }

    memory memory_;
    sonde::allocation<memory> own_;
    any window_;
};

} // namespace osu
