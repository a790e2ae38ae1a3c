// SPDX-License-Identifier: BSL-1.0
#include "osu/xccl/nccl_library.hpp"

#include "osu/driver/buffer_places.hpp"

namespace osu {

namespace {

/// The default is device memory.
void set_device_places(options& into, program const& about, std::vector<std::string> const& words) {
    if (!words.empty()) return set_buffer_places(into, about, words);
    if (!into.on) into.on = memory_choice{memory_kind::device, suite::gpu_api};
    if (!is_collective(about)) into.placement = buffer_placement{memory_kind::device, memory_kind::device};
}

} // namespace

constinit library const nccl_library{.title = suite::gpu_api == device_api::rocm ? "RCCL" : "NCCL",
                                     .starts = mpi_starts,
                                     .empty_messages = true,
                                     .takes_host = false, // page-locked memory only
                                     .takes_gpus_only = true,
                                     .passes_addresses_to_mpi = false,
                                     .refuses_shared_devices = true,
                                     .ranks_print_title = true,
                                     .accepted_without_device = "ranks with a device each",
                                     .read_words = set_device_places};

} // namespace osu
