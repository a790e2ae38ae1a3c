// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/program.hpp"
#include "osu/driver/table.hpp"
#include "suite/launch.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/time.hpp>

#include <functional>
#include <string>
#include <vector>

namespace osu {

/// True if the command line asks for a session. Throws refusal for any other option.
inline bool asks_for_session(program const& about, std::vector<std::string> const& arguments) {
    for (auto const& argument : arguments) {
        if (!about.takes(option_name::session)) throw refusal{"Invalid option [" + argument + "]; accepted: none"};
        if (argument != "-I" && argument != "--session")
            throw refusal{"Invalid option [" + argument + "]; accepted: -I"};
        if (!has_sessions()) throw refusal{"MPI sessions need an MPI-4 library [-I]; accepted: no option"};
    }
    return !arguments.empty();
}

/// `main` of a program that starts MPI, prints a title and one line, and ends. `line_of(ranks, start time of MPI on
/// this rank)` is collective, and rank 0 prints its result.
inline int launch_startup(int argc, char** argv, program const& about,
                          std::function<std::string(sonde::mpi::group const&, sonde::seconds)> const& line_of) {
    return suite::launch(argc, argv, [&]() -> request {
        return {.session = asks_for_session(about, {argv + 1, argv + argc}), .run = [&](mpi_job const& job) {
                    auto const line = line_of(job.world, job.start_time);
                    print(job.world, table::title_of(about) + "\n" + line + "\n");
                    return 0;
                }};
    });
}

} // namespace osu
