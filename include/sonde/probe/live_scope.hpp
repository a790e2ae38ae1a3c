// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/probe/pass_ring.hpp>
#include <sonde/version.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Counters of scopes in memory that other threads and processes read while the scopes' own threads write them: plain
// numbers in relaxed atomic accesses, one writer each. A reader may see a pass counted whose time is not yet added.

#ifdef __ELF__
/// The `sonde::scope_table` of this process, from the recorder of `sonde-replay` if that is preloaded; null if its
/// tables have another layout. Without the recorder the function has no address.
extern "C"
    [[gnu::weak]]
#if __has_cpp_attribute(gnu::noplt)
    [[gnu::noplt]] // so that a program that is not position-independent finds it, too
#endif
    void*
    sonde_recorder_scopes(std::uint64_t layout);
#endif

namespace sonde::inline v0_1 {

/// Counters of a scope. Times are in seconds, those of readings since the epoch of the probe's clock.
struct live_scope {
    static constexpr std::size_t most_partners = 32; // that it has room for

    char name[96] = {};       // of the scope after those of the enclosing scopes, "step/halo"
    double bytes = 0;         // moved by this rank in one pass
    std::uint64_t index = 0;  // in the table
    std::uint64_t kind = 0;   // a `scope_kind`
    std::uint64_t passes = 0; // that have ended
    std::uint64_t time = 0;   // of these passes, a double in bits
    std::uint64_t ended = 0;  // reading at the end of the last pass, a double in bits
    std::uint64_t begun = 0;  // reading at the beginning of the pass under way, a double in bits; 0 for none
    std::int32_t partners[most_partners] = {}; // of an exchange: ranks for whose entry this rank waits
    std::uint64_t partner_count = 0;           // 0: all ranks
    std::uint64_t ready = 0;                   // 1 once the members that do not change are set

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

/// The latest passes of exchanges and of work of one thread.
struct live_passes {
    static constexpr std::size_t kept = 1024; // passes; successive passes of a scope of work are one

    /// A pass. Times are doubles in bits, as those of `live_scope`.
    struct entry {
        std::uint64_t begin = 0;  // reading of the clock
        std::uint64_t length = 0; // of successive passes of work together
        std::uint64_t index = 0;  // of the scope in the table
        std::uint64_t number = 0; // among the passes of the scope, from 0
    };

    std::uint64_t taken = 0; // 1 once a thread has it
    std::uint64_t added = 0; // number of passes, also of those that are no longer kept
    entry entries[kept]{};   // pass n is entry n % kept

    /// True for the first thread that asks.
    bool take() { return __atomic_exchange_n(&taken, 1, __ATOMIC_RELAXED) == 0; }
    /// A pass has ended, and its scope has counted it. By the thread that has taken the passes.
    void add(live_scope const& scope, double begin, double end) {
        auto const n = live_scope::load(added);
        auto& latest = entries[(n - 1) % kept];
        auto length = end - begin;
        auto const goes_on = scope.kind == static_cast<std::uint64_t>(scope_kind::work) && n != 0 &&
                             live_scope::load(latest.index) == scope.index;
        if (goes_on) length += std::bit_cast<double>(live_scope::load(latest.length));
        auto& to = goes_on ? latest : entries[n % kept];
        store(to.length, std::bit_cast<std::uint64_t>(length));
        if (goes_on) return;
        store(to.begin, std::bit_cast<std::uint64_t>(begin));
        store(to.index, scope.index);
        store(to.number, live_scope::load(scope.passes) - 1);
        store(added, n + 1);
    }
    /// A member of an entry, or `added`: who reads a pass reads at least its number in `added` later.
    static std::uint64_t load(std::uint64_t const& member) { return __atomic_load_n(&member, __ATOMIC_ACQUIRE); }

private:
    static void store(std::uint64_t& member, std::uint64_t value) {
        __atomic_store_n(&member, value, __ATOMIC_RELEASE);
    }
};

/// Counters of the scopes of a rank, in memory of a fixed size, which is zero at first.
struct scope_table {
    static constexpr std::size_t most_scopes = 64;                 // that it has room for
    static constexpr std::uint64_t this_layout = 0x736f'6e64'6502; // of the members below

    std::uint64_t layout = 0;         // `this_layout` once the other members are set
    std::int64_t rank = 0;            // of the process among those of its job
    std::uint64_t claimed = 0;        // number of scopes, also of those that the table has no room for
    live_scope scopes[most_scopes]{}; // in the order in which they were added
    live_passes passes{};             // of the scopes of one thread

    /// The counters of another scope; null if the table is full. By any thread. A name that is too long is cut, and
    /// ends with its number in the table. Of too many partners the first ones count.
    live_scope* add(std::string_view name, std::size_t bytes, scope_kind kind = scope_kind::part,
                    std::span<int const> partners = {}) {
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
        made.index = i;
        made.kind = static_cast<std::uint64_t>(kind);
        made.partner_count = std::min(partners.size(), live_scope::most_partners);
        std::copy_n(partners.begin(), made.partner_count, made.partners);
        __atomic_store_n(&made.ready, 1, __ATOMIC_RELEASE);
        return &made;
    }
};

namespace detail {

/// The recorder's table; null without a recorder.
inline scope_table* recorder_scopes() {
#ifdef __ELF__
    if (&sonde_recorder_scopes != nullptr)
        return static_cast<scope_table*>(sonde_recorder_scopes(scope_table::this_layout));
#endif
    return nullptr;
}

} // namespace detail

} // namespace sonde
