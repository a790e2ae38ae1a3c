// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/sync.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <string_view>

// A synchronizer that is chosen at run time by its name, as in bindings for other languages.

namespace sonde::inline v0_1::mpi {

/// How the ranks are synchronized before samples.
enum class synchronization : unsigned char {
    once,          // a barrier before the first sample
    each,          // a barrier before each sample
    none,          // no barrier: the pattern synchronizes itself
    dissemination, // a barrier of empty messages before each sample
    start          // samples start on all ranks at one time of a global clock
};

/// The names of all enumerators, in their order.
inline constexpr std::string_view synchronization_names[] = {"once", "each", "none", "dissemination", "start"};

/// The synchronizer of the ranks of a group, which must outlive it. Collective over the group for
/// `synchronization::start`, which compares the clocks; copies share the comparison. Throws mpi::error.
[[nodiscard]] inline any_synchronizer<group> synchronizer_of(synchronization how, group& ranks) {
    switch (how) {
    case synchronization::each:
        return barrier_each{};
    case synchronization::none:
        return no_sync{};
    case synchronization::dissemination:
        return dissemination_barrier{};
    case synchronization::start:
        return synchronized_start{ranks};
    default:
        return barrier_once{};
    }
}

} // namespace sonde::mpi
