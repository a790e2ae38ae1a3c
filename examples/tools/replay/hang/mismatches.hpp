// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/diagnosis.hpp"

#include <vector>

namespace tools::replay {

/// Of each communicator and window the first collective whose function, root, operation or size differs between ranks:
/// the ranks are those that differ from most. Compared are the calls that pages still have.
std::vector<finding> mismatches_in(std::vector<rank_state> const& states);

/// The first collective that a rank calls at another call site than most, although all calls are alike.
/// Empty if there is none.
std::string other_site_of(std::vector<rank_state> const& states, int rank, std::string const& object);

} // namespace tools::replay
