// SPDX-License-Identifier: BSL-1.0
#include "osu/xccl/oneccl_library.hpp"

namespace osu {

namespace {

/// The buffers are memory of the host.
void set_host_places(options& into, program const& about, std::vector<std::string> const& words) {
    refuse_words(into, about, words);
    if (!is_collective(about)) into.placement = buffer_placement{memory_kind::host, memory_kind::host};
}

} // namespace

constinit library const oneccl_library{.title = "oneCCL",
                                       .starts = mpi_starts,
                                       .lacks = option_set{option_name::accelerator, option_name::work_place},
                                       .empty_messages = true,
                                       .passes_addresses_to_mpi = false,
                                       .ranks_print_title = true,
                                       .read_words = set_host_places};

} // namespace osu
