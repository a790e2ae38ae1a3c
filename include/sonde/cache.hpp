// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>
#include <sonde/record.hpp>
#include <sonde/sync.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace sonde {

/// What the host's caches hold of a message when its iteration begins: `slice` keeps it warm, `allocation::cold` makes
/// buffers that rotate, `flushed` is a synchronizer.
enum class cache : unsigned char { warm, rotate, flush };

/// The policy as a parameter of a point, so that every report tells rows apart by it:
/// `{"exchange", {{"bytes", n}, cached(cache::flush)}}`.
inline parameter cached(cache how) {
    return {"cache", how == cache::warm ? "warm" : how == cache::rotate ? "rotating" : "flushed"};
}

/// Memory whose lines displace those of all else from the caches.
///
///     evict()    write into every line; dirty ones take the places of others, whatever a cache prefers to keep
class eviction {
public:
    /// Two last-level caches by default: one alone might find room beside what it is to displace.
    explicit eviction(std::size_t bytes = 2 * last_level_cache()) : bytes_{bytes} { bytes_.fill(std::byte{0}); }

    /// By a store to each line, volatile so that none is left out. Not by memset, whose stores to so much memory go
    /// past the caches and displace nothing.
    void operator()() {
        constexpr std::size_t line = 64; // the shortest in use
        auto const all = bytes_.bytes();
        for (std::size_t at = 0; at < all.size(); at += line) {
            auto volatile* const here = reinterpret_cast<unsigned char volatile*>(all.data() + at);
            *here = static_cast<unsigned char>(*here + 1);
        }
    }
    region bytes() const { return bytes_.bytes(); }

private:
    host_allocation bytes_;
};

/// Caches are flushed, then ranks brought together by another synchronizer, before each iteration of the warm-up (whose
/// times are to become stable as those of samples) and before each sample. No rank's flushing is within a sample, if
/// that synchronizer brings ranks together before each: `barrier_each`, `dissemination`, `clock_window`; on one rank
/// `no_sync`. In a batch only the first iteration would be cold: a plan refuses batches.
///
/// `evict`, called without arguments, outlives the plan; where there is none, nothing is flushed.
template <class Sync, std::invocable Evict = eviction>
class flushed {
    static_assert(!std::same_as<Sync, barrier_once>, "ranks would flush while others are in their samples");

public:
    flushed(Sync synchronize, Evict* evict) : synchronize_{std::move(synchronize)}, evict_{evict} {}

    template <Group G>
        requires Synchronizer<Sync, G>
    void operator()(G& group, std::size_t i) {
        if (evict_ != nullptr) (*evict_)();
        synchronize_(group, i);
    }
    auto* window()
        requires requires(Sync& s) { s.window(); }
    {
        return synchronize_.window();
    }
    bool allows_batches() const { return evict_ == nullptr && detail::allows_batches(synchronize_); }

private:
    Sync synchronize_;
    Evict* evict_;
};

} // namespace sonde
