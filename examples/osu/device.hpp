// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "memory.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <string>

namespace osu {

/// Is CUDA built in? Without it no other function of this header is there.
constexpr bool has_cuda() {
#ifdef OSU_CUDA
    return true;
#else
    return false;
#endif
}

/// Give this rank a device by its number on its host. Throws refusal, on all ranks, where one has none; `wish` is what
/// needs it, `otherwise` what is accepted then. Collective over the group.
void take_device(sonde::mpi::group const& world, std::string const& wish, std::string const& otherwise);

/// A note on stderr where ranks share a device. Collective over the group.
void say_shared(sonde::mpi::group const& world);

/// Name, versions of CUDA, how many ranks share it: of the device that this rank was given.
std::string device_in_words();

/// What memory on a device, or used by it, does. Allocation throws refusal where there is not enough.
memory_calls const& device_calls_of(placement where);

/// Page-locked memory of the host, by which messages of device memory go.
memory_calls const& pinned_calls();

/// All that `touch` needs, before any clock runs. Throws refusal where the device does not let the host use managed
/// memory while itself does; `wish` is what needs that.
void prepare_touch(std::string const& wish);

/// Managed memory is used where it belongs, and that is over when this returns: MD is set by the device, MH by the host
/// or, where it is large, brought there.
void touch(sonde::opaque_region bytes, placement where);

/// The mean time of the least that a device can be asked for, waited for each time.
sonde::seconds least_launch();

} // namespace osu
