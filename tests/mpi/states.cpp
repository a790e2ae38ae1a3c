// SPDX-License-Identifier: BSL-1.0

// Sonde's messages before MPI_Init, after MPI_Finalize, and with a thread level too low for a team: the first argument
// selects one. Ends with 0 if the message is the expected one.

#include <sonde/group/threads.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/memory.hpp>

#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

/// True if f throws std::logic_error with this in its text.
template <class F>
bool is_refused(std::string const& why, F f) {
    try {
        f();
    } catch (std::logic_error const& e) {
        if (std::string{e.what()}.find(why) != std::string::npos) return true;
        std::printf("said: %s\n", e.what());
        return false;
    }
    std::printf("not refused: %s\n", why.c_str());
    return false;
}

bool all_refused(std::string const& why) {
    auto good = is_refused(why, [] { sonde::mpi::group const ranks{MPI_COMM_WORLD}; });
    good &= is_refused(why, [] { sonde::mpi::group const ranks{MPI_COMM_SELF}; });
    // Before MPI_Init there may be an MPI-4 session, in which memory may be allocated.
    if (MPI_VERSION < 4 || why == "MPI_Finalize has been called")
        good &= is_refused(why, [] { sonde::mpi::alloc_mem{}.allocate(8); });
    return good;
}

/// A team of two threads on rank 0 and of one on others, with this thread level of MPI on rank 0.
bool teams(int level) {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    static_cast<void>(sonde::mpi::environment_of(ranks)); // its tool interface leaves the level as it is
    auto const make = [&] {
        sonde::thread_team team{ranks, ranks.rank() == 0 ? 2 : 1};
        team.run([](auto& me) { me.barrier(); });
    };
    if (level < MPI_THREAD_SERIALIZED) return is_refused("MPI_THREAD_SERIALIZED", make);
    make();
    return true;
}

bool with_level(int wanted) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, wanted, &level);
    auto const good = teams(level);
    MPI_Finalize();
    return good;
}

} // namespace

int main(int argc, char** argv) {
    std::string const when = argc > 1 ? argv[1] : "";
    auto good = false;
    if (when == "before") {
        good = all_refused("MPI_Init has not been called");
        MPI_Init(&argc, &argv); // MPI still initializes
        MPI_Finalize();
    } else if (when == "guarded") {
        sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [] { sonde::mpi::group const ranks{MPI_COMM_WORLD}; });
    } else if (when == "after") {
        MPI_Init(&argc, &argv);
        MPI_Finalize();
        good = all_refused("MPI_Finalize has been called");
    } else if (when == "funneled") {
        good = with_level(MPI_THREAD_FUNNELED);
    } else if (when == "serialized") {
        good = with_level(MPI_THREAD_SERIALIZED);
    }
    return good ? 0 : 1;
}
