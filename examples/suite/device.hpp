// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/memory.hpp"

#include <sonde/mpi/group.hpp>

#include <string>

namespace suite {

/// True if CUDA is built in. Otherwise the other functions of this header are not defined.
constexpr bool has_cuda() {
#ifdef SUITE_CUDA
    return true;
#else
    return false;
#endif
}

/// Texts of the refusals of a program that uses a device.
struct device_use {
    std::string options;      // that need a device: "D D"
    std::string accepted;     // instead of them
    std::string size_options; // that determine the sizes of buffers: "-m, -W"
};

/// Choose and initialize the device of this rank by its number on its host. Throws refusal, on all ranks, if a rank has
/// no device. Collective over the group.
void choose_device(sonde::mpi::group const& world, device_use const& use);

/// Warn on stderr if ranks share a device. Collective over the group.
void warn_of_shared_devices(sonde::mpi::group const& world);

/// Name, CUDA versions, and number of ranks of this rank's device.
std::string device_text();

/// Functions of the kinds of memory of CUDA. Allocation throws refusal, with the size options, if memory is exhausted.
memory_functions const& cuda_functions_of(memory_kind kind);

} // namespace suite
