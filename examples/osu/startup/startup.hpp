// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/options.hpp"
#include "osu/driver/program.hpp"
#include "osu/driver/table.hpp"
#include "suite/launch.hpp"

#include <sonde/clock.hpp>
#include <sonde/mpi/group.hpp>

#include <functional>
#include <string>
#include <vector>

namespace osu {

/// Names of the options of a startup program, as a refusal lists them.
inline std::string startup_options(program const& about) {
    return about.takes(option_name::session) ? "-h, -v, -I" : "-h, -v";
}

/// The command line of a startup program. Throws refusal for any other option.
inline options parse_startup(program const& about, std::vector<std::string> const& arguments) {
    options found;
    for (auto const& argument : arguments) {
        auto const is = [&](char const* letter, char const* name) { return argument == letter || argument == name; };
        if (is("-h", "--help")) found.requested = action::help;
        else if (is("-v", "--version")) found.requested = action::version;
        else if (is("-I", "--session") && about.takes(option_name::session)) found.session = true;
        else
            throw refusal{"Invalid option [" + (argument.empty() ? "''" : argument) +
                          "]; accepted: " + startup_options(about)};
        if (found.requested != action::measure) return found;
    }
    if (found.session && !has_sessions())
        throw refusal{"MPI sessions need an MPI-4 library [-I]; accepted: every option but -I"};
    return found;
}

/// The text of `-h`.
inline std::string startup_usage(program const& about) {
    return "Usage: " + about.name + " [options]\nOptions:\n" + "  -h, --help              print this help\n" +
           "  -v, --version           print the title\n" +
           (about.takes(option_name::session) ? "  -I, --session           start MPI as an MPI-4 session\n" : "");
}

/// `main` of a program that starts MPI, prints a title and one line, and ends. `line_of(ranks, start time of MPI on
/// this rank)` is collective, and rank 0 prints its result.
inline int launch_startup(int argc, char** argv, program const& about,
                          std::function<std::string(sonde::mpi::group const&, sonde::seconds)> const& line_of) {
    return suite::launch(argc, argv, [&]() -> request {
        auto const asked = parse_startup(about, {argv + 1, argv + argc});
        if (asked.requested == action::help) return {.text = startup_usage(about)};
        if (asked.requested == action::version) return {.text = table::title_of(about) + "\n"};
        return {.session = asked.session, .run = [&](mpi_job const& job) {
                    auto const line = line_of(job.world, job.start_time);
                    print(job.world, table::title_of(about) + "\n" + line + "\n");
                    return 0;
                }};
    });
}

} // namespace osu
