// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/options.hpp"
#include "imb/driver/setting.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace imb {

// Memory and datatypes of a size. Without MPI.

/// Reason why a size is not measured, in increasing order of precedence among ranks.
enum class failure : unsigned char { none, time_out, memory, overflow };

/// Memory requirements of a size.
struct memory_request {
    lengths one;                    // buffers of one repetition
    std::size_t repetitions;        // at most
    std::optional<cache> off_cache; // -off_cache
    bool disjoint = false;          // a buffer for each repetition, unless -off_cache decides
    std::size_t limit = 0;          // bytes for both directions
};

/// Buffers of both directions, and the number of repetitions that they are for: fewer than requested if `disjoint`
/// buffers exceed the limit.
struct memory_plan {
    buffer_layout send_layout;
    buffer_layout receive_layout;
    std::size_t repetitions = 0;

    std::size_t bytes() const { return send_layout.bytes() + receive_layout.bytes(); }
};

memory_plan plan_memory(memory_request const& request);

/// Overflow if a message has more elements than an int counts, as in MPI; memory if the plan exceeds `limit` bytes.
failure failure_of(lengths const& messages, std::size_t element_bytes, memory_plan const& memory, std::size_t limit);

/// `-mem` in bytes.
std::size_t memory_limit(options const& asked);

/// Element type that a benchmark's sizes count in.
element element_of(benchmark const& test, options const& asked);
/// Bytes that sizes are multiples of.
std::size_t unit_of(component const& about, benchmark const& test, options const& asked);

/// Memory per byte of a message: 2 with gaps between elements (-contig_type resize, resize_vec), else 1.
std::size_t extent_factor_of(options const& asked);

/// Buffers of one repetition on `rank` of a group of `ranks`. A root has one block for each rank; a rank that is never
/// the root has a single block.
lengths lengths_of(benchmark const& test, options const& asked, std::size_t bytes, std::size_t ranks, int rank);
/// Memory requirements of `repetitions` with these buffers.
memory_request memory_request_of(component const& about, benchmark const& test, options const& asked,
                                 lengths const& one, std::size_t repetitions);

/// Advice to the right of an overflow failure; "" in programs without a remedy.
std::string advice_of(component const& about, benchmark const& test, options const& asked);

} // namespace imb
