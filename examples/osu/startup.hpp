// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "program.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/time.hpp>

#include <functional>
#include <string>

namespace osu {

/// `main` of a program that starts MPI, says something and ends: a title, then what `say(ranks, time of the start on
/// this rank)`, which is collective, answers on rank 0. Of options it takes `-I`, where `about` has that letter.
int start_and_say(int argc, char** argv, program const& about,
                  std::function<std::string(sonde::mpi::group const&, sonde::seconds)> const& say);

} // namespace osu
