// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/page_folder.hpp"
#include "tools/replay/hang/rank_state.hpp"

#include <sonde/clock.hpp>

#include <vector>

namespace tools::replay {

/// The states of ranks of this node, from two readings of their pages that are this time apart. Ranks of which a page
/// is not complete, or which end meanwhile by MPI_Finalize, are left out.
std::vector<rank_state> node_states(std::vector<page_file> const& files, sonde::seconds interval);

} // namespace tools::replay
