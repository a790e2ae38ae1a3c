// SPDX-License-Identifier: BSL-1.0
// Starts MPI, says so, ends: to be timed from outside.
#include "startup.hpp"

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_hello", .title = "OSU MPI Hello World Test", .letters = ""};
    return osu::start_and_say(argc, argv, about, [](sonde::mpi::group const& ranks, sonde::seconds) {
        return "This is a test with " + std::to_string(ranks.size()) + " processes";
    });
}
