// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "suite/memory.hpp"

#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <cstddef>
#include <utility>
#include <variant>

namespace osu {

/// A window that is created as `-w` says, over memory of its own or over memory that the MPI library allocates: a
/// sonde::mpi::Window. No function is called in the timed loop.
class rma_window {
public:
    /// A window over `memory`, which is of this kind. creation::allocate ignores `memory` and has `bytes` bytes of the
    /// MPI library. Collective over the group.
    rma_window(sonde::mpi::group const& ranks, creation how, std::size_t bytes, memory_kind kind,
               sonde::allocation<suite::memory> memory)
        : functions_{kind}, memory_{std::move(memory)}, window_{create(ranks, how, bytes)} {}

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

    /// Functions of this rank's window memory.
    suite::memory const& memory() const { return functions_; }

private:
    using any_window = std::variant<sonde::mpi::opaque_created_window, sonde::mpi::allocated_window,
                                    sonde::mpi::opaque_dynamic_window>;

    any_window create(sonde::mpi::group const& ranks, creation how, std::size_t bytes) const {
        if (how == creation::create) return sonde::mpi::opaque_created_window{ranks, memory_.bytes()};
        if (how == creation::dynamic) return sonde::mpi::opaque_dynamic_window{ranks, memory_.bytes()};
        return sonde::mpi::allocated_window{ranks, bytes};
    }

    suite::memory functions_;
    sonde::allocation<suite::memory> memory_;
    any_window window_;
};

} // namespace osu
