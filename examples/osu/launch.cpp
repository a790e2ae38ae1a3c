// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include "device.hpp"
#include "requirements.hpp"
#include "start.hpp"
#include "words.hpp"

#include <sonde/mpi/error.hpp>

#include <cstdio>
#include <stdexcept>

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
        require_built(found.asked);
        if (found.asked.session && !session::available)
            found.refused = "MPI sessions need an MPI-4 library [-I]; accepted: every option but -I";
    } catch (refusal const& e) {
        found.refused = e.what();
    }
    if (!found.refused.empty()) found.asked = {};
    return found;
}

void print(int rank, std::string const& text, std::FILE* to = stdout) {
    if (rank != 0) return;
    std::fputs(text.c_str(), to);
    std::fflush(to);
}

/// All but the body; true where the body is wanted.
bool answer(program const& about, command const& given, sonde::mpi::group const& world, bool thread_multiple) {
    if (!given.refused.empty()) throw refusal{given.refused};
    if (given.asked.wanted == wish::help) print(world.rank(), usage(about));
    if (given.asked.wanted == wish::version)
        print(world.rank(), table::title_of(about, title_suffix(about, given.asked)) + "\n");
    if (given.asked.wanted != wish::measure) return false;
    require_ranks(about.needs, world.size());
    if (about.needs == ranks::several_nodes) require_nodes(world);
    if (about.thread_multiple && !thread_multiple)
        throw refusal{"This test requires MPI_THREAD_MULTIPLE, which the MPI library does not grant"};
    return true;
}

/// What OMB says of managed memory between ranks.
void say_managed(program const& about, options const& asked, int rank) {
    if (!moves_messages(about) || !asked.words || !asked.words->any_managed()) return;
    if (asked.bare_managed) std::fprintf(stderr, "Warning: M is read as MH on rank %d; say MH or MD\n", rank);
    if (is_rate(about.shows))
        print(rank, "Warning: Tests involving managed buffers will use multiple buffers by default\n", stderr);
}

/// `-d cuda` alone titles messages so, and leaves their buffers where they are.
void say_host(program const& about, options const& asked, int rank) {
    if (!moves_messages(about) || asked.words || asked.on != accelerator::cuda) return;
    print(rank, "Note: buffers are in host memory; D D places them on the device\n", stderr);
}

/// Every rank says it, above all that rank 0 says. Collective over the group.
void say_nccl(sonde::mpi::group& world) {
    std::puts("#Using NCCL");
    std::fflush(stdout);
    world.barrier();
}

/// A device for what needs one. Collective over the group.
void prepare_device(program const& about, options const& asked, sonde::mpi::group const& world) {
    if (device_wish(asked).empty()) return;
    require_aware(about, asked);
    if constexpr (has_cuda()) {
        take_device(world, device_wish(asked), about.nccl ? "ranks with a device each" : "H H");
        if (!about.nccl) say_shared(world); // NCCL itself refuses it, unless told not to
    }
    say_managed(about, asked, world.rank());
    say_host(about, asked, world.rank());
}

/// What one rank alone refuses between rows ends the job, since the others wait for it there.
void run_rows(std::function<void()> const& body) {
    try {
        body();
    } catch (common::agreed_refusal const&) {
        throw;
    } catch (refusal const& e) {
        throw std::runtime_error{e.what()};
    }
}

/// All that is written, and what `main` returns. Collective over the group.
int carry_out(program const& about, prepared const& ready, sonde::mpi::group& world) {
    auto& on = *ready.on;
    on.open_reports();
    if (about.nccl) say_nccl(world);
    if (!ready.above.empty()) on.table().line(ready.above);
    if (!is_nccl_pair(about)) on.table().title(about);
    run_rows(ready.body);
    auto const status = on.status();
    on.finish_reports();
    return status;
}

} // namespace

int launch(int argc, char** argv, program const& about, std::function<prepared(given const&)> const& prepare) {
    auto const read = read_command(about, argc, argv);
    started const mpi{argc, argv, read.asked.session, about.thread_multiple};
    MPI_Comm const comm = mpi.world();
    return sonde::mpi::abort_on_exception(comm, [&] {
        sonde::mpi::group world{comm};
        auto status = 1;
        try {
            if (!answer(about, read, world, mpi.thread_multiple())) return 0;
            prepare_device(about, read.asked, world);
            status = carry_out(about, prepare({about, read.asked, world, argc, argv}), world);
        } catch (refusal const& e) {
            print(world.rank(), std::string{e.what()} + "\n", stderr);
        }
        world.barrier(); // a launcher may end the others as soon as one rank exits with 1: rank 0 has said why
        return status;
    });
}

int launch(int argc, char** argv, program const& about, std::function<void(bench&)> const& body) {
    return launch(argc, argv, about, [&](given const& g) {
        auto const on = std::make_shared<bench>(g);
        return prepared{on, about.announce == nullptr ? "" : about.announce(g.asked), [&body, on] { body(*on); }};
    });
}

} // namespace osu
