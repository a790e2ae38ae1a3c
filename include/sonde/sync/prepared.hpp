// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>
#include <sonde/memory/cache.hpp>
#include <sonde/sync.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde {

/// Synchronizer that calls `(*f)()` on each rank and then another synchronizer: before each iteration of the warm-up
/// (so that its times stabilize as the times of samples do) and before each sample.
///
/// The call is outside the samples of all ranks if the other synchronizer synchronizes before each sample:
/// `barrier_each`, `dissemination_barrier`, `synchronized_start`; on one rank `no_sync`. Only the first iteration of a
/// batch would be prepared, so a plan rejects batches. `f` must outlive the plan; a null pointer calls nothing.
template <class Sync, std::invocable F>
class prepared_sync {
    static_assert(!std::same_as<Sync, barrier_once>, "a rank would call the function during samples of other ranks");

public:
    /// Throws std::invalid_argument if an `any_synchronizer` holds a `barrier_once`.
    prepared_sync(Sync synchronize, F* f) : synchronize_{std::move(synchronize)}, f_{f} {
        if constexpr (requires { synchronize_.template holds<barrier_once>(); })
            if (f != nullptr && synchronize_.template holds<barrier_once>())
                throw std::invalid_argument{
                    "sonde::prepared_sync: with barrier_once a rank would call the function during samples of other "
                    "ranks"};
    }

    template <Group G>
        requires Synchronizer<Sync, G>
    void operator()(G& group, std::size_t i) {
        if (f_ != nullptr) (*f_)();
        synchronize_(group, i);
    }
    auto* global_clock()
        requires requires(Sync& s) { s.global_clock(); }
    {
        return synchronize_.global_clock();
    }
    bool allows_batches() const { return f_ == nullptr && detail::allows_batches(synchronize_); }
    std::vector<double> parameters() const { return detail::parameters_of(synchronize_); }
    void describe(auto& point) const { detail::describe(synchronize_, point); }

protected:
    bool prepares() const { return f_ != nullptr; }

private:
    Sync synchronize_;
    F* f_;
};

/// The cache policy as a parameter of a point: `{"exchange", {{"bytes", n}, cache_parameter(cache::rotate)}}`.
[[nodiscard]] inline parameter cache_parameter(cache how) {
    return {"cache", how == cache::warm ? "warm" : how == cache::rotate ? "rotating" : "flushed"};
}

/// `prepared_sync` that flushes the caches: `flushed_sync{barrier_each{}, &evict}`. It adds the parameter "cache" to
/// each record's point, unless the point has one already.
template <class Sync, std::invocable Evict = eviction>
class flushed_sync : public prepared_sync<Sync, Evict> {
public:
    using prepared_sync<Sync, Evict>::prepared_sync;

    void describe(point& at) const {
        prepared_sync<Sync, Evict>::describe(at);
        if (!this->prepares()) return;
        for (auto const& p : at.parameters)
            if (p.name == "cache") return;
        at.parameters.push_back(cache_parameter(cache::flush));
    }
};
template <class Sync, class Evict>
flushed_sync(Sync, Evict*) -> flushed_sync<Sync, Evict>;

} // namespace sonde
