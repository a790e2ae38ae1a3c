// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_launch.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/interference.hpp"
#include "osu/driver/library.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_program.hpp"
#include "suite/devices.hpp"
#include "suite/launch.hpp"

#include <sonde/mpi/error.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace osu {

namespace {

/// True if the MPI library gets addresses of a device.
bool passes_device_addresses(program const& about, options const& asked) {
    if (!about.moved_by.passes_addresses_to_mpi || asked.staged || !asked.on) return false;
    if (!asked.placement) return is_on_device(asked) && is_collective(about);
    return asked.placement->any_device();
}

/// Throws refusal if the options need a device of an interface that is not built in.
void require_built(options const& asked) {
    if (auto const device = device_request(asked); !device.empty())
        suite::require_built(api_of(asked), asked.on && is_managed(asked.on->kind) ? " Managed Memory" : "", device,
                             "H H, and all of it");
}

/// Throws refusal for a number of ranks that the program does not accept, with `--beside` or without.
void require_ranks(ranks needed, bool beside, int size) {
    auto const refuse = [size](char const* accepted) {
        throw refusal{std::string{"This test requires "} + accepted + "; it was started with " + std::to_string(size)};
    };
    if (beside && size < 4) refuse("at least four processes with --beside, of which two measure");
    if (needed == ranks::exactly_two && !beside && size != 2) refuse("exactly two processes");
    if (size < 2) refuse("at least two processes");
    if (needed == ranks::even && size % 2 != 0) refuse("an even number of processes");
}

/// Options of a command line, before MPI starts. Throws refusal for wrong ones.
options read_command_line(program const& about, int argc, char const* const* argv) {
    auto asked = parse(about, argc, argv);
    require_built(asked);
    return asked;
}

/// Throws refusal, on all ranks, if the program cannot run in this job. Collective over the group.
void require_job(program const& about, options const& asked, mpi_job const& job) {
    require_ranks(about.needs, asked.beside.has_value(), job.world.size());
    if (about.t_means == probes::threads && job.provided != threading::multiple)
        throw refusal{"This test requires MPI_THREAD_MULTIPLE, which the MPI library does not grant"};
}

/// OMB's warnings of managed memory for messages between ranks.
void warn_of_managed_memory(program const& about, options const& asked, sonde::mpi::group const& world) {
    if (!moves_messages(about) || !asked.placement || !asked.placement->any_managed()) return;
    if (asked.bare_managed) std::fprintf(stderr, "Warning: M is read as MH on rank %d; say MH or MD\n", world.rank());
    if (is_rate(about.shows))
        print(world, "Warning: Tests involving managed buffers will use multiple buffers by default\n", stderr);
}

/// A note that `-d` without buffer places changes the title, and leaves the buffers in host memory.
void note_host_buffers(program const& about, options const& asked, sonde::mpi::group const& world) {
    if (!moves_messages(about) || asked.placement || !is_on_device(asked)) return;
    print(world, "Note: buffers are in host memory; D D places them on the device\n", stderr);
}

/// Choose the device of this rank if the options need one. Collective over the group.
void prepare_device(program const& about, options const& asked, sonde::mpi::group const& world) {
    if (device_request(asked).empty()) return;
    choose_device(world,
                  {.api = api_of(asked),
                   .addresses_to_mpi = passes_device_addresses(about, asked),
                   .options = device_request(asked),
                   .accepted = about.moved_by.accepted_without_device,
                   .accepted_unaware = std::string{about.takes(option_name::staged) ? "the same with --staged, " : ""} +
                                       "H H, and all of it",
                   .size_options = "-m, -W"});
    if (!about.moved_by.refuses_shared_devices) warn_of_shared_devices(world);
    warn_of_managed_memory(about, asked, world);
    note_host_buffers(about, asked, world);
}

/// Run the sweep. A refusal of one rank alone aborts the job, because the other ranks wait for it.
void run_sweep(std::function<void()> const& sweep) {
    try {
        sweep();
    } catch (suite::agreed_refusal const&) {
        throw;
    } catch (refusal const& e) {
        throw std::runtime_error{e.what()};
    }
}

/// Print a line of each rank above all lines of rank 0. Collective over the group.
void print_title(library const& used, sonde::mpi::group& world) {
    std::printf("#Using %s\n", used.title);
    std::fflush(stdout);
    world.barrier();
}

/// Print everything, and return the exit status. Collective over the group.
int run(program const& about, prepared_run const& prepared, sonde::mpi::group& world) {
    auto& driver = *prepared.driver;
    require_row(about, driver.options());
    driver.open_reports();
    suite::note_device(world);
    if (about.moved_by.ranks_print_title) print_title(about.moved_by, world);
    if (!prepared.preamble.empty()) driver.table().line(prepared.preamble);
    if (about.style.titled) driver.table().title(about);
    if (driver.options().beside) driver.table().line("# Beside: " + name(*driver.options().beside) + ".");
    run_sweep(prepared.sweep);
    auto const status = driver.status();
    driver.finish_reports();
    return status;
}

/// `main` of a program: reads the options, starts MPI, calls `prepare`, prints the lines above the tables, and runs the
/// sweep. Returns the exit status, the same on all ranks. An exception that is not a refusal on all ranks aborts the
/// job, because the other ranks would wait forever.
int launch(int argc, char** argv, program const& about, preparation const& prepare) {
    return suite::launch(argc, argv, [&]() -> request {
        auto const asked = read_command_line(about, argc, argv);
        if (asked.requested == action::help) return {.text = usage(about)};
        if (asked.requested == action::version)
            return {.text = table::title_of(about, title_suffix(about, asked)) + "\n"};
        return {.level = about.t_means == probes::threads ? threading::multiple : threading::single,
                .session = asked.session,
                .run = [&, asked](mpi_job const& job) {
                    require_job(about, asked, job);
                    prepare_device(about, asked, job.world);
                    if (asked.beside)
                        return run_beside(job.world, *asked.beside, [&](load_beside& load, sonde::mpi::group& two) {
                            return run(about, prepare({about, asked, two, argc, argv, job.further, &load}), two);
                        });
                    return run(about, prepare({about, asked, job.world, argc, argv, job.further}), job.world);
                }};
    });
}

} // namespace

suite::named_program named(program about, preparation prepare) {
    auto name = about.name;
    return {std::move(name), [about = std::move(about), prepare = std::move(prepare)](int argc, char** argv) {
                return launch(argc, argv, about, prepare);
            }};
}

} // namespace osu
