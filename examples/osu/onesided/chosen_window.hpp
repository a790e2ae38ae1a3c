// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "choices.hpp"

#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>
#include <sonde/mpi/rma/windows.hpp>

#include <cstddef>
#include <variant>

namespace osu {

/// A window of the kind that `-w` says; its memory is its own, or the MPI library's. Asked before the clock only.
class chosen_window {
public:
    /// So many bytes on every rank. Collective over the group.
    chosen_window(sonde::mpi::group const& ranks, creation how, std::size_t bytes)
        : memory_{how == creation::allocate ? 0 : bytes}, window_{made(ranks, how, bytes)} {}

    MPI_Win handle() const {
        return std::visit([](auto const& w) { return w.handle(); }, window_);
    }
    sonde::region region() const {
        return std::visit([](auto const& w) { return w.region(); }, window_);
    }
    MPI_Aint base(int rank) const {
        return std::visit([=](auto const& w) { return w.base(rank); }, window_);
    }
    std::size_t size(int rank) const {
        return std::visit([=](auto const& w) { return w.size(rank); }, window_);
    }

private:
    using any = std::variant<sonde::mpi::created_window, sonde::mpi::allocated_window, sonde::mpi::dynamic_window>;

    any made(sonde::mpi::group const& ranks, creation how, std::size_t bytes) const {
        if (how == creation::create) return sonde::mpi::created_window{ranks, memory_.bytes()};
        if (how == creation::dynamic) return sonde::mpi::dynamic_window{ranks, memory_.bytes()};
        return sonde::mpi::allocated_window{ranks, bytes};
    }

    sonde::host_allocation memory_;
    any window_;
};

} // namespace osu
