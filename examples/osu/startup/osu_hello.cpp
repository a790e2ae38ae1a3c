// SPDX-License-Identifier: BSL-1.0
// Starts and ends MPI, to be timed by the caller.
#include "osu/startup/startup.hpp"

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_hello", .title = "OSU MPI Hello World Test"};
    return osu::launch_startup(argc, argv, about, [](sonde::mpi::group const& ranks, sonde::seconds) {
        return "This is a test with " + std::to_string(ranks.size()) + " processes";
    });
}
