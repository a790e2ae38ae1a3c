// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace tools::replay {

/// Epochs of one-sided operations that are open on a window, on one rank.
struct window_epoch {
    bool is_fenced = false;                   // behind a fence that operations may follow
    bool has_fenced_operations = false;       // since that fence
    std::uint64_t fences = 0;                 // so far
    bool is_locked = false;                   // on all ranks
    std::int32_t mode = 0;                    // of that lock
    std::map<distance, std::int32_t> locks{}; // mode of the lock of each locked rank
    std::set<distance> access{}, exposure{};  // of MPI_Win_start and MPI_Win_post

    /// True if locks are the same, which a rank can open and close alone.
    bool has_locks_of(window_epoch const& other) const {
        return is_locked == other.is_locked && (!is_locked || mode == other.mode) && locks == other.locks;
    }
};

/// The epochs of a rank, call by call.
class window_epochs {
public:
    /// Follow a call, or a loop.
    void add(step const& s);

    /// By the number of the window.
    std::map<std::int32_t, window_epoch> const& open() const { return open_; }
    /// True if an operation was in no epoch.
    bool is_faulty() const { return is_faulty_; }

private:
    void operate(window_epoch& on, distance target);
    void synchronize(window_epoch& on, step const& s);

    std::map<std::int32_t, window_epoch> open_;
    bool is_faulty_ = false;
};

/// The epochs that are open before a step of a program, whose position is in the program or in one of its loops.
window_epochs epochs_before(program const& of, step const& first);

} // namespace tools::replay
