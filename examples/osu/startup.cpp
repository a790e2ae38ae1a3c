// SPDX-License-Identifier: BSL-1.0
#include "startup.hpp"

#include "start.hpp"
#include "table.hpp"

#include <sonde/mpi/error.hpp>

#include <cstdio>

namespace osu {

namespace {

/// Why the words are refused; empty where they are not.
std::string complaint_about(program const& about, int argc, char const* const* argv, bool& as_session) {
    for (auto const& word : std::vector<std::string>{argv + 1, argv + argc}) {
        if (!about.takes('I')) return "Invalid option [" + word + "]; accepted: none";
        if (word != "-I" && word != "--session") return "Invalid option [" + word + "]; accepted: -I";
        if (!session::available) return "MPI sessions need an MPI-4 library [-I]; accepted: no option";
        as_session = true;
    }
    return {};
}

int say_and_end(sonde::mpi::group const& ranks, std::string const& text, bool refused) {
    if (ranks.rank() == 0) std::fprintf(refused ? stderr : stdout, "%s\n", text.c_str());
    std::fflush(nullptr);
    ranks.barrier(); // a launcher may end the others as soon as one rank exits with 1: rank 0 has said why
    return refused ? 1 : 0;
}

} // namespace

int start_and_say(int argc, char** argv, program const& about,
                  std::function<std::string(sonde::mpi::group const&, sonde::seconds)> const& say) {
    auto as_session = false;
    auto const complaint = complaint_about(about, argc, argv, as_session);
    sonde::steady_clock clock;
    auto const begin = clock.now();
    started const mpi{argc, argv, as_session && complaint.empty(), false};
    sonde::seconds const took{clock.now() - begin};
    MPI_Comm const comm = mpi.world();
    return sonde::mpi::abort_on_exception(comm, [&] {
        sonde::mpi::group const ranks{comm};
        if (!complaint.empty()) return say_and_end(ranks, complaint, true);
        return say_and_end(ranks, table::title_of(about) + "\n" + say(ranks, took), false);
    });
}

} // namespace osu
