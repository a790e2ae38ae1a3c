// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/mpi/group.hpp>

#include <functional>
#include <string>

namespace imb {

/// What a program does, once it is known what it is asked.
struct job {
    threading level = threading::single;                 // that MPI is started with; no less will do
    std::string says{};                                  // instead of the body: help, a list
    std::function<int(sonde::mpi::group& world)> body{}; // -> exit status, the same on all ranks
};

/// `main` of a program: `read` makes its job of the command line, before MPI starts. A common::refusal, of `read` or of
/// the body on all ranks, is one line of rank 0 and status 1 on every rank.
int launch(int argc, char** argv, std::function<job()> const& read);

} // namespace imb
