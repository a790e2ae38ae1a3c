// SPDX-License-Identifier: BSL-1.0
#include "osu/xccl/oneccl_library.hpp"

#include <cstdio>

namespace osu {

namespace {

/// The buffers are memory of the host.
void set_host_places(options& into, program const& about, std::vector<std::string> const& words) {
    refuse_words(into, about, words);
    if (!is_collective(about)) into.placement = buffer_placement{memory_kind::host, memory_kind::host};
}

/// A line of every rank, above all lines of rank 0.
void print_name(sonde::mpi::group& world) {
    std::printf("#Using %s\n", oneccl_library.title);
    std::fflush(stdout);
    world.barrier();
}

} // namespace

constinit library const oneccl_library{.title = "oneCCL",
                                       .starts = mpi_starts,
                                       .lacks = option_set{option_name::accelerator, option_name::work_place},
                                       .empty_messages = true,
                                       .passes_addresses_to_mpi = false,
                                       .read_words = set_host_places,
                                       .announce = print_name};

} // namespace osu
