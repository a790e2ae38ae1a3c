// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "options.hpp"

#include <sonde/mpi/group.hpp>

#include <functional>
#include <string>
#include <vector>

namespace imb {

/// What tells the programs that share a driver from each other.
struct component {
    std::string program;                      // "IMB-MPI1"
    std::string part;                         // "MPI-1 part"
    std::vector<benchmark> tests;             // in the order of the list
    std::vector<std::string> lacks{};         // options that it does not take, by name
    int npmin = 2;                            //
    std::size_t smallest_unit = 1;            // sizes are multiples of so many bytes (EXT: 4)
    std::size_t estimated_repetitions = 1000; // the most that the estimate of a count runs (IO: 50)
    bool warms_up = true;
    bool io = false;              // header and process counts of IMB-IO
    bool trailing_blanks = false; // in the header: MPI1, RMA, MPI4
    /// Called once before anything is measured; overlaps: is a benchmark with overlap among those asked for? Refuses,
    /// on all ranks, what the program does not find; answers what comes after the list in the header. Collective.
    std::function<std::string(options const&, bool overlaps, sonde::mpi::group const& world)> prepare{};
};

/// `main` of a program. Bad input: one line on rank 0, status 1 on every rank, nothing measured.
int launch(int argc, char** argv, component const& about);

} // namespace imb
