// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include "../../common/refusal.hpp"

#include <sonde/mpi/guarded.hpp>

#include <boost/mpi/environment.hpp>

#include <cstdio>

namespace imb::own {

namespace {

namespace threads = boost::mpi::threading;

threads::level mpi_level(threading asked) {
    constexpr threads::level levels[] = {threads::single, threads::funneled, threads::serialized, threads::multiple};
    return levels[static_cast<unsigned char>(asked)];
}

int attempt(sonde::mpi::group& world, job const& asked, std::string const& refused) {
    common::agree(world, refused); // files that it names are read by each rank
    if (boost::mpi::environment::thread_level() < mpi_level(asked.level))
        throw common::refusal{"The MPI library does not grant the level of -thread_level"};
    print(world, asked.says);
    return asked.body ? asked.body(world) : 0;
}

} // namespace

void print(sonde::mpi::group const& world, std::string const& text) {
    if (world.rank() != 0 || text.empty()) return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

int launch(int argc, char** argv, std::function<job()> const& read) {
    job asked;
    std::string refused;
    try {
        asked = read();
    } catch (common::refusal const& e) {
        refused = e.what();
    }
    boost::mpi::environment const mpi{argc, argv, mpi_level(asked.level)};
    return sonde::mpi::guarded(MPI_COMM_WORLD, [&] {
        sonde::mpi::group world{MPI_COMM_WORLD};
        auto status = 1;
        try {
            status = attempt(world, asked, refused);
        } catch (common::refusal const& e) {
            if (world.rank() == 0) std::fprintf(stderr, "%s\n", e.what());
        }
        world.barrier(); // a launcher may end the others as soon as one rank exits with 1: rank 0 has said why
        return status;
    });
}

} // namespace imb::own
