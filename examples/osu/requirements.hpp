// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"
#include "program.hpp"

#include <sonde/mpi/group.hpp>

namespace osu {

// What a program needs to start at all. Each throws refusal, on all ranks alike, where that is not there.

/// CUDA is built in, where something needs it.
void require_built(options const& asked);

/// The MPI library takes addresses of a device, where it is given any. One that does not say is believed to.
void require_aware(program const& about, options const& asked);

/// As many ranks as are needed.
void require_ranks(ranks needed, int size);

/// Ranks on several nodes.
void require_nodes(sonde::mpi::group const& world);

} // namespace osu
