// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include "start.hpp"

#include <sonde/mpi/guarded.hpp>

#include <cstdio>

namespace osu {

namespace {

/// The command line as read before MPI starts: what it asks for, or why it is refused.
struct command {
    options asked;
    std::string refused;
};

command read_command(program const& about, int argc, char const* const* argv) {
    command found;
    try {
        found.asked = parse(about, argc, argv);
        if (found.asked.session && !session::available)
            found.refused = "MPI sessions need an MPI-4 library [-I]; accepted: every option but -I";
    } catch (refusal const& e) {
        found.refused = e.what();
    }
    if (!found.refused.empty()) found.asked = {};
    return found;
}

void require_ranks(ranks needed, int size) {
    if (needed == ranks::exactly_two && size != 2) throw refusal{"This test requires exactly two processes"};
    if (size < 2) throw refusal{"This test requires at least two processes"};
    if (needed == ranks::even && size % 2 != 0) throw refusal{"This test requires an even number of processes"};
}

void require_threads(program const& about) {
    if (about.thread_multiple && boost::mpi::environment::thread_level() < boost::mpi::threading::multiple)
        throw refusal{"This test requires an MPI library that grants MPI_THREAD_MULTIPLE"};
}

void print(int rank, std::string const& text, std::FILE* to = stdout) {
    if (rank != 0) return;
    std::fputs(text.c_str(), to);
    std::fflush(to);
}

int run(program const& about, command const& given, sonde::mpi::group& world, int argc, char** argv,
        std::function<void(bench&)> const& body) {
    if (!given.refused.empty()) throw refusal{given.refused};
    if (given.asked.wanted == wish::help) return print(world.rank(), usage(about)), 0;
    if (given.asked.wanted == wish::version) return print(world.rank(), table::title_of(about) + "\n"), 0;
    require_ranks(about.needs, world.size());
    require_threads(about);
    bench all{about, given.asked, world, argc, argv};
    all.table().title(about);
    body(all);
    return all.status();
}

} // namespace

int launch(int argc, char** argv, program const& about, std::function<void(bench&)> const& body) {
    auto const given = read_command(about, argc, argv);
    started const mpi{argc, argv, given.asked.session, about.thread_multiple};
    MPI_Comm const comm = mpi.world();
    return sonde::mpi::guarded(comm, [&] {
        sonde::mpi::group world{comm};
        auto status = 1;
        try {
            status = run(about, given, world, argc, argv, body);
        } catch (refusal const& e) {
            print(world.rank(), std::string{e.what()} + "\n", stderr);
        }
        world.barrier(); // a launcher may end the others as soon as one rank exits with 1: rank 0 has said why
        return status;
    });
}

} // namespace osu
