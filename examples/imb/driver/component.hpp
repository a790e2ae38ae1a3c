// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "imb/driver/imb_reports.hpp"
#include "suite/launch.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace imb {

struct component;

/// A run of a program, on every rank.
struct program_run {
    component const& about;
    imb::options const& options;
    std::vector<benchmark const*> const& tests; // to run, in this order
    sonde::mpi::group& world;
    sonde::environment const& environment;
    int argc;
    char const* const* argv;
    imb::reports& report; // world rank 0's

    /// Print on world rank 0.
    void print(std::string const& text) const { suite::print(world, text); }
};

/// Lines of the header that end with a blank, as IMB's do.
struct blanks {
    bool calling = false;    // the command line
    bool reductions = false; // the datatype of reductions
    bool last = false;       // the empty lines at the end
};

/// How the command line of a program is read.
struct command_syntax {
    std::vector<option_row> (*rows)(options& into, option_set lacks) = option_table; // in the order of the help
    option_style style = option_style::one_dash;
    bool in_given_order = false; // otherwise options are set in the order of the rows, and a repeated one once
    void (*complete)(options& asked) = nullptr; // sets what has no default of its own. Throws suite::refusal
};

/// Description of a program: its benchmarks, its command line, and its run.
struct component {
    std::string program{};        // "IMB-MPI1"; imb.cpp has the names
    std::string part{};           // "MPI-1 part"
    std::vector<benchmark> tests; // in the order of the list
    option_set lacks{};           // options of the table that this program does not take
    options defaults{};
    std::size_t smallest_unit = 1;            // in bytes; sizes are multiples of it (EXT: 4)
    std::size_t estimated_repetitions = 1000; // limit of the run that estimates a repetition count (IO: 50)
    bool warms_up = true;
    bool io = false;      // header and process counts of IMB-IO
    bool windows = false; // every benchmark opens an RMA window, in all groups at the same time
    imb::blanks blanks{};
    /// Hook that runs once, before the first benchmark. Returns the text below the list in the header. Throws
    /// suite::refusal on all ranks. Collective over the world.
    std::string (*prepare)(program_run const& on) = nullptr;

    // What IMB-P2P, IMB-MT and IMB-HALO have of their own.
    command_syntax syntax{};
    std::string list{}; // text of -list; empty: that of most programs
    /// Refuses, before anything is opened or printed, what the ranks or their hosts cannot run: throws suite::refusal
    /// on all ranks. Collective over the world.
    void (*require)(options const&, std::vector<benchmark const*> const& tests, sonde::mpi::group& world) = nullptr;
    /// Prints the header, the tables and the end, and reports the records. Returns false, on rank 0 at least, if
    /// contents were wrong. Throws suite::refusal on all ranks. Collective over the world. Null: see imb_driver.hpp.
    bool (*run)(program_run const&) = nullptr;
    char const* where_wrong = "the column defects"; // where the output shows wrong contents
};

/// The benchmarks to run, in the order in which they run; one that is requested twice runs twice. Throws suite::refusal
/// for an unknown name, and if -exclude leaves none.
std::vector<benchmark const*> selected(std::vector<benchmark> const& all, options const& asked);

/// Text of -list.
std::string list(std::string const& program, std::vector<benchmark> all);

/// `main` of a program: the exit status. Invalid input is refused on every rank, with one line on rank 0 and status 1,
/// before any measurement; wrong contents end in status 1, after everything is reported.
int launch(int argc, char** argv, component const& about);

} // namespace imb
