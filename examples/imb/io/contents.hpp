// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../setting.hpp"
#include "failure_note.hpp"
#include "workplace.hpp"

#include <sonde/mpi/io.hpp>

#include <functional>

namespace imb::io {

/// Transfers in a pass that looks at contents: the second is where the first has left the pointers.
constexpr std::size_t checked_transfers = 2;

/// 1 where what transfers, each assured, write does not lie in the file, each rank's bytes at their place (of ranks
/// that share a pointer and do not go in order: each rank's piece once and whole), 0 elsewhere. Collective over the
/// setting's group.
double written_defects(setting& s, workplace const& place, std::function<void()> const& transfer, failure_note& failed);

/// 1 where what transfers deliver is not what the file has there (of ranks that share a pointer and do not go in order:
/// pieces of it that together are all of it), 0 elsewhere. Collective over the setting's group.
double read_defects(setting& s, workplace const& place, std::function<void()> const& transfer);

} // namespace imb::io
