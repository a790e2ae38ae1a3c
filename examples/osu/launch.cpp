// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include "device.hpp"
#include "start.hpp"
#include "words.hpp"
#include "world_nodes.hpp"

#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/guarded.hpp>

#include <cstdio>

namespace osu {

namespace {

/// The command line as read before MPI starts: what it asks for, or why it is refused.
struct command {
    options asked;
    std::string refused;
};

/// MPI is given addresses of a device.
bool passes_addresses(program const& about, options const& asked) {
    if (about.nccl || asked.staged || asked.on == accelerator::none) return false;
    if (!asked.words) return asked.on == accelerator::cuda && is_collective(about);
    return asked.words->any_device();
}

/// A library that does not say is believed to take them.
void require_aware(program const& about, options const& asked) {
    if (!passes_addresses(about, asked) || sonde::mpi::device_support() != sonde::mpi::support::no) return;
    throw refusal{"This MPI library takes no addresses of a device [" + device_wish(asked) +
                  "]; accepted: " + (moves_messages(about) ? "the same with --staged, " : "") +
                  "H H, and all of it with a library that is CUDA-aware"};
}

void require_built(options const& asked) {
    auto const wish = device_wish(asked);
    if (wish.empty() || has_cuda()) return;
    auto const* const what = asked.on == accelerator::managed ? "CUDA Managed Memory" : "CUDA";
    throw refusal{std::string{what} + " Support Not Enabled [" + wish +
                  "]; accepted: H H, and all of it in a build that finds the CUDA toolkit"};
}

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

void require_ranks(ranks needed, int size) {
    auto const refuse = [size](char const* accepted) {
        throw refusal{std::string{"This test requires "} + accepted + "; it was started with " + std::to_string(size)};
    };
    if (needed == ranks::exactly_two && size != 2) refuse("exactly two processes");
    if (size < 2) refuse("at least two processes");
    if (needed == ranks::even && size % 2 != 0) refuse("an even number of processes");
}

void require_nodes(sonde::mpi::group const& world) {
    auto const complaint = complaint_about(nodes_of(world));
    if (!complaint.empty()) throw refusal{complaint};
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

/// Every rank says it, above all that rank 0 says. Collective over the group.
void say_nccl(sonde::mpi::group& world) {
    print(0, "#Using NCCL\n");
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
}

} // namespace

int launch(int argc, char** argv, program const& about, std::function<prepared(given const&)> const& prepare) {
    auto const read = read_command(about, argc, argv);
    started const mpi{argc, argv, read.asked.session, about.thread_multiple};
    MPI_Comm const comm = mpi.world();
    return sonde::mpi::guarded(comm, [&] {
        sonde::mpi::group world{comm};
        auto status = 1;
        try {
            if (!answer(about, read, world, mpi.thread_multiple())) return 0;
            prepare_device(about, read.asked, world);
            auto const [on, above, body] = prepare({about, read.asked, world, argc, argv});
            on->open_reports();
            if (about.nccl) say_nccl(world);
            if (!above.empty()) on->table().line(above);
            if (!is_nccl_pair(about)) on->table().title(about);
            body();
            auto const found = on->status();
            on->finish_reports();
            status = found;
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
