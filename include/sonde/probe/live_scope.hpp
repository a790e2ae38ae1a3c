// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Counters of scopes in memory that other threads and processes read while the scopes' own threads write them: plain
// numbers in relaxed atomic accesses, one writer each. A reader may see a pass counted whose time is not yet added.

namespace sonde::inline v0_1 {

/// Counters of a scope. Times are in seconds, those of readings since the epoch of the probe's clock.
struct live_scope {
    char name[96] = {};       // of the scope after those of the enclosing scopes, "step/halo"
    double bytes = 0;         // moved by this rank in one pass
    std::uint64_t passes = 0; // that have ended
    std::uint64_t time = 0;   // of these passes, a double in bits
    std::uint64_t ended = 0;  // reading at the end of the last pass, a double in bits
    std::uint64_t begun = 0;  // reading at the beginning of the pass under way, a double in bits; 0 for none
    std::uint64_t ready = 0;  // 1 once name and bytes are set

    /// A pass begins. By the scope's thread.
    void enter(double now) { store(begun, std::bit_cast<std::uint64_t>(now)); }
    /// A pass ends. By the scope's thread.
    void leave(double begin, double end) {
        store(time, std::bit_cast<std::uint64_t>(std::bit_cast<double>(load(time)) + (end - begin)));
        store(passes, load(passes) + 1);
        store(ended, std::bit_cast<std::uint64_t>(end));
        store(begun, 0);
    }
    /// The current value of a counter.
    static std::uint64_t load(std::uint64_t const& counter) { return __atomic_load_n(&counter, __ATOMIC_RELAXED); }

private:
    static void store(std::uint64_t& counter, std::uint64_t value) {
        __atomic_store_n(&counter, value, __ATOMIC_RELAXED);
    }
};

/// Counters of the scopes of a rank, in memory of a fixed size, which is zero at first.
struct scope_table {
    static constexpr std::size_t most_scopes = 64;                 // that it has room for
    static constexpr std::uint64_t this_layout = 0x736f'6e64'6501; // of the members below

    std::uint64_t layout = 0;         // `this_layout` once the other members are set
    std::int64_t rank = 0;            // of the process among those of its job
    std::uint64_t claimed = 0;        // number of scopes, also of those that the table has no room for
    live_scope scopes[most_scopes]{}; // in the order in which they were added

    /// The counters of another scope; null if the table is full. By any thread. A name that is too long is cut, and
    /// ends with its number in the table.
    live_scope* add(std::string_view name, std::size_t bytes) {
        auto const i = __atomic_fetch_add(&claimed, 1, __ATOMIC_RELAXED);
        if (i >= most_scopes) return nullptr;
        auto& made = scopes[i];
        auto text = std::string{name};
        if (text.size() >= sizeof made.name) {
            auto const ending = std::string{"~"}.append(std::to_string(i));
            text = text.substr(0, sizeof made.name - 1 - ending.size()) + ending;
        }
        text.copy(made.name, sizeof made.name - 1);
        made.bytes = static_cast<double>(bytes);
        __atomic_store_n(&made.ready, 1, __ATOMIC_RELEASE);
        return &made;
    }
};

} // namespace sonde
