// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <cstddef>
#include <vector>

namespace sonde::detail {

/// What one rank says, to all. Collective over the group.
template <Group G>
std::vector<double> told_by(int rank, G& group, std::vector<double> said) {
    if (group.rank() != rank) said.clear();
    double length[1] = {static_cast<double>(said.size())};
    group.all_reduce(length, reduction::sum);
    said.resize(static_cast<std::size_t>(length[0]));
    group.all_reduce(said, reduction::sum);
    return said;
}

} // namespace sonde::detail
