// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "options.hpp"

#include <sonde/mpi/group.hpp>

#include <functional>
#include <string>
#include <vector>

namespace imb {

/// Lines of the header that end with a blank, as IMB's do.
struct blanks {
    bool calling = false;    // of the command line
    bool reductions = false; // of the type of reductions
    bool last = false;       // the empty ones at the end
};

/// What tells the programs that share a driver from each other.
struct component {
    std::string program;                      // "IMB-MPI1"
    std::string part;                         // "MPI-1 part"
    std::vector<benchmark> tests;             // in the order of the list
    std::vector<std::string> lacks{};         // options that it does not take, by name
    int npmin = 2;                            // where no -npmin is given
    std::size_t smallest_unit = 1;            // sizes are multiples of so many bytes (EXT: 4)
    std::size_t estimated_repetitions = 1000; // the most that the estimate of a count runs (IO: 50)
    bool warms_up = true;
    bool io = false;      // header and process counts of IMB-IO
    bool windows = false; // every benchmark opens one, in all groups at the same time
    imb::blanks blanks{};
    /// Called once before anything is measured; overlaps: is a benchmark with overlap among those asked for? Refuses,
    /// on all ranks, what the program does not find; answers what comes after the list in the header. Collective.
    std::function<std::string(options const&, bool overlaps, sonde::mpi::group const& world)> prepare{};
};

/// What a program lacks: the options that IMB-MPI1 alone takes, and more.
inline std::vector<std::string> lacking(std::vector<std::string> more) {
    for (auto const* name : {"window_size", "data_type", "red_data_type", "contig_type", "msgsize"})
        more.emplace_back(name);
    return more;
}

/// `main` of a program. Bad input: one line on rank 0, status 1 on every rank, nothing measured.
int launch(int argc, char** argv, component const& about);

} // namespace imb
