// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/device.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/cuda/managed_room.hpp>
#include <sonde/group.hpp>

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace sonde::cuda {

namespace detail {

/// What tells a device from all others, in numbers that a reduction keeps: its UUID. Its number does not, since a
/// launcher may show every rank another device as number 0.
using device_id = std::array<double, 4>;

inline device_id id_of(int device) {
    cudaDeviceProp found{};
    check(cudaGetDeviceProperties(&found, device), "cudaGetDeviceProperties");
    std::array<std::uint32_t, 4> parts{};
    static_assert(sizeof parts == sizeof found.uuid);
    std::memcpy(parts.data(), &found.uuid, sizeof parts);
    device_id id{};
    for (std::size_t i = 0; i != id.size(); ++i) id[i] = parts[i];
    return id;
}

/// How many ranks say the same as this one. Collective over the group.
template <Group G>
int ranks_with(G& ranks, device_id const& mine) {
    auto const n = mine.size();
    std::vector<double> all(n * static_cast<std::size_t>(ranks.size()));
    for (std::size_t i = 0; i != n; ++i) all[n * static_cast<std::size_t>(ranks.rank()) + i] = mine[i];
    ranks.all_reduce(all, reduction::sum);
    int found = 0;
    for (std::size_t at = 0; at != all.size(); at += n) found += std::memcmp(&all[at], mine.data(), sizeof mine) == 0;
    return found;
}

/// The devices that this rank sees, in turn.
inline int take_in_turn(int local_rank) {
    auto const mine = local_rank % device_count();
    check(cudaSetDevice(mine), "cudaSetDevice");
    return mine;
}

} // namespace detail

/// The device of a rank, and how many ranks have it. Where several do, they disturb each other, and figures are of
/// neither: whoever chose says so.
struct chosen_device {
    int index = 0;
    int ranks = 1;
    bool shared() const { return ranks > 1; }
};

/// Give the ranks of a node the devices that they see in turn, and make this rank's the current one. The local rank is
/// that among ranks that share memory, as MPI tells, not a scheduler's variable. Managed memory of ranks that share a
/// device must then fit there together.
/// Throws, after all ranks have met, cuda::error where there is no device (`device_count`); std::invalid_argument for a
/// rank that cannot be. Collective over the group.
template <Group G>
chosen_device choose_device(G& ranks, int local_rank) {
    if (local_rank < 0) throw std::invalid_argument{"sonde::cuda::choose_device: a local rank is 0 or more"};
    chosen_device chosen;
    detail::device_id id{};
    try {
        chosen.index = detail::take_in_turn(local_rank);
        id = detail::id_of(chosen.index);
    } catch (error const&) {
        detail::ranks_with(ranks, {}); // the others wait for it
        throw;
    }
    chosen.ranks = detail::ranks_with(ranks, id);
    room_on(chosen.index).share(chosen.ranks);
    return chosen;
}

} // namespace sonde::cuda
