// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/sync.hpp>
#include <sonde/mpi/synchronized_start.hpp>
#include <sonde/sync.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace osu {

/// Ranks start by a global clock.
using global_start =
    decltype(sonde::mpi::synchronized_start(std::declval<sonde::mpi::group const&>(), sonde::mpi::wtime{}));

/// How ranks are brought together before an iteration: as the suite does, or as `--sync` says.
class asked_sync {
public:
    /// `clock` is there where `how` asks for one, and lives longer: what it learns of starts serves the next row.
    asked_sync(start how, global_start* clock) : how_{how}, clock_{clock} {}

    void operator()(sonde::mpi::group& group, std::size_t i);
    /// Threads of a team: barriers alone.
    void operator()(auto& group, std::size_t i) {
        if (how_ == start::barrier || (how_ == start::one_barrier && i == 0)) group.barrier();
    }
    std::array<double, 1> parameters() const { return {static_cast<double>(how_)}; }
    global_start* global_clock() { return how_ == start::window ? clock_ : nullptr; }

private:
    start how_;
    global_start* clock_;
};

} // namespace osu
