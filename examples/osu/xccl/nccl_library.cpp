// SPDX-License-Identifier: BSL-1.0
#include "osu/xccl/nccl_library.hpp"

#include "osu/driver/buffer_places.hpp"

#include <cstdio>

namespace osu {

namespace {

/// The default is device memory.
void set_device_places(options& into, program const& about, std::vector<std::string> const& words) {
    if (!words.empty()) return set_buffer_places(into, about, words);
    if (!into.on) into.on = memory_choice{memory_kind::device, suite::gpu_api};
    if (!is_collective(about)) into.placement = buffer_placement{memory_kind::device, memory_kind::device};
}

/// A line of every rank, above all lines of rank 0.
void print_name(sonde::mpi::group& world) {
    std::printf("#Using %s\n", nccl_library.title);
    std::fflush(stdout);
    world.barrier();
}

} // namespace

constinit library const nccl_library{.title = suite::gpu_api == device_api::rocm ? "RCCL" : "NCCL",
                                     .starts = mpi_starts,
                                     .empty_messages = true,
                                     .takes_host = false, // page-locked memory only
                                     .takes_gpus_only = true,
                                     .passes_addresses_to_mpi = false,
                                     .refuses_shared_devices = true,
                                     .accepted_without_device = "ranks with a device each",
                                     .read_words = set_device_places,
                                     .announce = print_name};

} // namespace osu
