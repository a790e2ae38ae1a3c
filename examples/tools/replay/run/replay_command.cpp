// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replay_command.hpp"

#include "suite/agreement.hpp"
#include "suite/hosts.hpp"
#include "tools/replay/run/cancelled_receives.hpp"
#include "tools/replay/run/replay_memory.hpp"

namespace tools::replay {

void together_or_refuse(sonde::mpi::group const& world, std::string const& about, std::function<void()> const& f) {
    suite::together(world, [&] {
        try {
            f();
        } catch (std::exception const& e) {
            throw suite::refusal{"sonde-replay: " + about + e.what()};
        }
    });
}

std::vector<replay_phase> read_phases(sonde::mpi::group const& world, std::string const& file, trace& into) {
    std::vector<replay_phase> phases;
    double memory = 0;
    together_or_refuse(world, "", [&] {
        into = read_trace({file});
        require_replayable(into, world.size());
        leave_out_cancelled(into);
        phases = phases_of(into);
        memory = memory_needed(into, into.threads[static_cast<std::size_t>(world.rank())]);
    });
    suite::require_memory(world, memory, "TRACE");
    return phases;
}

std::vector<suite::reporter> open_reports(sonde::mpi::group const& world, std::vector<suite::report_file> const& files,
                                          sonde::environment const& where) {
    std::vector<suite::reporter> found;
    suite::together(world, [&] {
        if (world.rank() != 0) return;
        for (auto const& asked : files) found.push_back(suite::open_report("--report", asked, where));
    });
    return found;
}

} // namespace tools::replay
