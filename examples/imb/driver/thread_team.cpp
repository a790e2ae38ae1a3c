// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/thread_team.hpp"

#include "suite/values.hpp"

#include <sonde/mpi/error.hpp>

#include <cstdlib>
#include <string>
#include <thread>

namespace imb {

std::vector<sonde::mpi::group> communicators(int threads) {
    std::vector<sonde::mpi::group> all;
    for (int t = 0; t != threads; ++t) {
        auto const& duplicate = all.emplace_back(MPI_COMM_WORLD);
        MPI_Info info = MPI_INFO_NULL;
        sonde::mpi::check(MPI_Info_create(&info), "MPI_Info_create");
        sonde::mpi::check(MPI_Info_set(info, "thread_id", std::to_string(t).c_str()), "MPI_Info_set");
        sonde::mpi::check(MPI_Comm_set_info(duplicate.comm(), info), "MPI_Comm_set_info");
        sonde::mpi::check(MPI_Info_free(&info), "MPI_Info_free");
    }
    return all;
}

int threads_of(options const& asked) {
    if (asked.level != threading::multiple) return 1;
    auto const* const given = std::getenv("OMP_NUM_THREADS");
    auto const outermost = given == nullptr ? std::string{} : split(given, ',').front();
    auto const processors = static_cast<int>(std::thread::hardware_concurrency());
    return number<int>(outermost, 1, 1024).value_or(processors > 0 ? processors : 1);
}

int threads_of(options const& asked, sonde::mpi::group& world) {
    double threads[] = {static_cast<double>(threads_of(asked))};
    sonde::broadcast(world, threads);
    return static_cast<int>(threads[0]);
}

} // namespace imb
