// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>
#include <sonde/prepared.hpp>
#include <sonde/record.hpp>

#include <concepts>
#include <cstddef>

namespace sonde {

/// What the host's caches hold of a message when its iteration begins: `slice` keeps it warm, `allocation::cold` makes
/// buffers that rotate, `flushed` is a synchronizer.
enum class cache : unsigned char { warm, rotate, flush };

/// The policy as a parameter of a point, so that every report tells rows apart by it:
/// `{"exchange", {{"bytes", n}, cached(cache::rotate)}}`. What is `flushed` says so itself.
[[nodiscard]] inline parameter cached(cache how) {
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
    region bytes() const& { return bytes_.bytes(); }
    void bytes() const&& = delete;

private:
    host_allocation bytes_;
};

/// `prepared` by flushing caches: `flushed{barrier_each{}, &evict}`. Each record's point says so, unless it has a
/// parameter "cache" already.
template <class Sync, std::invocable Evict = eviction>
class flushed : public prepared<Sync, Evict> {
public:
    using prepared<Sync, Evict>::prepared;

    void tell(point& at) const {
        prepared<Sync, Evict>::tell(at);
        if (!this->prepares()) return;
        for (auto const& p : at.parameters)
            if (p.name == "cache") return;
        at.parameters.push_back(cached(cache::flush));
    }
};
template <class Sync, class Evict>
flushed(Sync, Evict*) -> flushed<Sync, Evict>;

} // namespace sonde
