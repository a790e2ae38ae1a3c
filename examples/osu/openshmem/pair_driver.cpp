// SPDX-License-Identifier: BSL-1.0
#include "osu/openshmem/pair_driver.hpp"

#include <algorithm>

namespace osu::openshmem {

namespace {

constexpr std::size_t alignment = 64; // OMB's

alignas(alignment) std::byte global_sent[largest_of_pair];
alignas(alignment) std::byte global_received[largest_of_pair];

} // namespace

pair_driver::pair_driver(invocation const& from)
    : openshmem_driver{from, heap_bytes(from.options, 2, from.options.max_size, 2 * largest_of_pair)},
      sent_{allocate(global_sent, options().max_size, alignment)},
      received_{allocate(global_received, options().max_size, alignment)} {}

transfer_regions pair_driver::regions(point const& at, transfer which) const {
    auto const sent = sent_.bytes().first(at.size), received = received_.bytes().first(at.size);
    std::fill(sent.begin(), sent.end(), std::byte{'a'});
    std::fill(received.begin(), received.end(), std::byte{'b'});
    if (gets(which)) return {.local = received, .remote = sent, .bytes = at.size};
    return {.local = sent, .remote = received, .bytes = at.size};
}

} // namespace osu::openshmem
