// SPDX-License-Identifier: BSL-1.0
#include "processes.hpp"

#include <algorithm>
#include <cstddef>

namespace imb {

namespace {

std::vector<int> doubled(int first, int last) {
    std::vector<int> series;
    for (auto n = first; n < last; n *= 2) series.push_back(n);
    series.push_back(last);
    return series;
}

} // namespace

int least_processes(family kind, bool io) {
    if (kind == family::single_transfer) return io ? 1 : 2;
    return kind == family::single_element || kind == family::message_rate ? 2 : 1;
}

std::vector<int> process_series(family kind, bool io, int world, int npmin) {
    auto const least = least_processes(kind, io);
    if (kind == family::single_transfer || kind == family::single_element) return {std::min(least, world)};
    if (kind == family::message_rate) {
        if (world < least) return {world};
        return doubled(std::min(world, npmin + npmin % 2) / 2 * 2, world / 2 * 2);
    }
    return doubled(std::max(1, std::min(world, npmin)), world);
}

bool transposes(grid const& map) { return map.p > 1 && map.q > 1; }

int place_of(grid const& map, int world_rank, int world) {
    if (!transposes(map)) return world_rank;
    auto const place = static_cast<long long>(map.q) * world_rank % (world - 1);
    return place == 0 ? world_rank : static_cast<int>(place);
}

std::vector<std::vector<int>> groups_of(grid const& map, int processes, int world, bool several) {
    auto const groups = several ? world / processes : 1;
    std::vector<std::vector<int>> all(static_cast<std::size_t>(groups),
                                      std::vector<int>(static_cast<std::size_t>(processes)));
    for (int rank = 0; rank != world; ++rank) {
        auto const place = place_of(map, rank, world);
        if (place / processes < groups)
            all[static_cast<std::size_t>(place / processes)][static_cast<std::size_t>(place % processes)] = rank;
    }
    return all;
}

} // namespace imb
