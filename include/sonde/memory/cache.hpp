// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>

#include <cstddef>

namespace sonde {

/// Cache policy: state of a message in the host's caches when an iteration begins. `slice` keeps it warm,
/// `allocation::cold` makes rotating buffers, `flushed_sync` flushes the caches.
enum class cache : unsigned char { warm, rotate, flush };

/// Evicts all other data from the host's caches: dirty lines replace others under any replacement policy.
class eviction {
public:
    /// Two last-level caches by default: one cache size may fit beside the data to evict.
    explicit eviction(std::size_t bytes = 2 * last_level_cache()) : bytes_{bytes} { bytes_.fill(std::byte{0}); }

    /// Stores to each line; volatile, so that compilers keep all stores. Not memset, whose non-temporal stores bypass
    /// the caches.
    void operator()() {
        constexpr std::size_t line = 64; // the shortest cache line in use
        auto const all = bytes_.bytes();
        for (std::size_t at = 0; at < all.size(); at += line) {
            auto volatile* const first = reinterpret_cast<unsigned char volatile*>(all.data() + at);
            *first = static_cast<unsigned char>(*first + 1);
        }
    }
    region bytes() const& { return bytes_.bytes(); }
    void bytes() const&& = delete;

private:
    host_allocation bytes_;
};

} // namespace sonde
