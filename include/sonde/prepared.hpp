// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/sync.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace sonde {

/// Each rank prepares, by calling `*f`, then another synchronizer brings ranks together: before each iteration of the
/// warm-up (whose times are to become stable as those of samples) and before each sample. No rank's preparing is within
/// a sample, if that synchronizer brings ranks together before each: `barrier_each`, `dissemination`, `clock_window`;
/// on one rank `no_sync`. In a batch only the first iteration would be prepared: a plan refuses batches.
///
/// `f` outlives the plan; where there is none, nothing is prepared.
template <class Sync, std::invocable F>
class prepared {
    static_assert(!std::same_as<Sync, barrier_once>, "ranks would prepare while others are in their samples");

public:
    prepared(Sync synchronize, F* f) : synchronize_{std::move(synchronize)}, f_{f} {}

    template <Group G>
        requires Synchronizer<Sync, G>
    void operator()(G& group, std::size_t i) {
        if (f_ != nullptr) (*f_)();
        synchronize_(group, i);
    }
    auto* window()
        requires requires(Sync& s) { s.window(); }
    {
        return synchronize_.window();
    }
    bool allows_batches() const { return f_ == nullptr && detail::allows_batches(synchronize_); }
    /// The settings of the other synchronizer.
    auto parameters() const
        requires requires(Sync const& s) { s.parameters(); }
    {
        return synchronize_.parameters();
    }
    /// What the other synchronizer tells.
    void tell(auto& at) const { detail::tell(synchronize_, at); }

protected:
    bool prepares() const { return f_ != nullptr; }

private:
    Sync synchronize_;
    F* f_;
};

} // namespace sonde
