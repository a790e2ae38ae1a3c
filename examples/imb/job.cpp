// SPDX-License-Identifier: BSL-1.0
#include "job.hpp"

#include "../common/refusal.hpp"
#include "say.hpp"

#include <sonde/mpi/error.hpp>

#include <boost/mpi/environment.hpp>

#include <cstddef>
#include <cstdio>

namespace imb {

namespace {

namespace threads = boost::mpi::threading;

constexpr threads::level levels[] = {threads::single, threads::funneled, threads::serialized, threads::multiple};

threads::level level_of(threading asked) { return levels[static_cast<std::size_t>(asked)]; }

void require_level(threading asked) {
    constexpr char const* names[] = {"single", "funneled", "serialized", "multiple"};
    auto const provided = boost::mpi::environment::thread_level();
    if (provided >= level_of(asked)) return;
    std::size_t most = 0;
    while (levels[most + 1] <= provided) ++most;
    throw common::refusal{std::string{"Too high -thread_level "} + names[static_cast<std::size_t>(asked)] +
                          "; accepted by this MPI library: at most " + names[most]};
}

int attempt(sonde::mpi::group& world, job const& asked, std::string const& refused) {
    common::agree(world, refused); // files that it names are read by each rank
    require_level(asked.level);
    say(world, asked.says);
    return asked.body ? asked.body(world) : 0;
}

} // namespace

int launch(int argc, char** argv, std::function<job()> const& read) {
    job asked;
    std::string refused;
    try {
        asked = read();
    } catch (common::refusal const& e) {
        refused = e.what();
    }
    boost::mpi::environment const mpi{argc, argv, level_of(asked.level)};
    return sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        sonde::mpi::group world{MPI_COMM_WORLD};
        auto status = 1;
        try {
            status = attempt(world, asked, refused);
        } catch (common::refusal const& e) {
            say(world, std::string{e.what()} + "\n", stderr);
        }
        world.barrier(); // a launcher may end the others as soon as one rank exits with 1: rank 0 has said why
        return status;
    });
}

} // namespace imb
