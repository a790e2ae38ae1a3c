// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayable_trace.hpp"

#include "suite/refusal.hpp"

#include <exception>

namespace tools::replay {

std::vector<replay_phase> read_phases(sonde::mpi::group const& world, std::string const& file, trace& into) {
    std::vector<replay_phase> phases;
    suite::together(world, [&] {
        try {
            into = read_trace({file});
            require_replayable(into, world.size());
            phases = phases_of(into);
        } catch (std::exception const& e) {
            throw suite::refusal{std::string{"sonde-replay: "} + e.what()};
        }
    });
    return phases;
}

} // namespace tools::replay
