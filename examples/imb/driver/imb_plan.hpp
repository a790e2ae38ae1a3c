// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/component.hpp"
#include "imb/driver/imb_options.hpp"
#include "imb/driver/setting.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace imb {

// Message sizes. Without MPI.

/// Largest size that -msglog allows, in whole elements of `unit` bytes.
std::size_t largest_size(options const& asked, std::size_t unit);

/// Sizes of a benchmark, in the order in which they run: the user's sizes, limited by -msglog and rounded up to whole
/// elements of `unit` bytes; or 0 and the powers of two of -msglog. Single-element and synchronization benchmarks have
/// one size.
std::vector<std::size_t> sizes_of(family kind, options const& asked, std::size_t unit);

/// The user's sizes above the limit of -msglog.
std::vector<std::size_t> cut_sizes(options const& asked);

// Repetition counts. Without MPI, in 64 bits.

/// Rules for the repetition counts of a benchmark with one number of processes in one mode.
struct count_rules {
    iterations iter;
    policy by = policy::dynamic; // never `automatic`
    sonde::seconds time{10};     // limit of a measured run
    int max_log = 22;
    std::size_t ranks = 2;
    std::size_t estimated = 1000; // limit of the run that estimates the time
    bool nonaggregate = false;    // the third number of -iter is the limit
    bool sized = true;            // false: the count does not depend on the size
    bool users_sizes = false;     // sizes may decrease, so that counts may increase
};

/// Policy of a benchmark: `auto` means multiple_np for rooted collectives and dynamic for others.
policy policy_of(policy asked, bool rooted);

/// Rules of a benchmark of a program, with `ranks` processes in one mode.
count_rules rules_of(component const& about, benchmark const& test, options const& asked, mode in, std::size_t ranks);

/// Count of `-iter_policy multiple_np`: a multiple of the ranks that decreases with the bytes that all ranks send.
std::size_t multiple_of_ranks(count_rules const& rules, std::size_t bytes);

/// Time limit of one benchmark in one mode, over all its sizes.
sonde::seconds time_out(options const& asked);

/// Number of warm-up repetitions before n reported ones.
std::size_t warm_up_count(std::size_t n);

/// Repetition counts of the sizes of a table. Each count depends on those before it.
class repetition_counts {
public:
    explicit repetition_counts(count_rules const& rules) : rules_{rules}, previous_{rules.iter.messages} {}

    /// True if the count follows from the measured time of repetitions.
    bool estimates() const { return rules_.by == policy::dynamic; }
    /// Upper limit of a size's count. Without estimation it is the count.
    std::size_t maximum(std::size_t bytes) const;
    /// Repetitions of the run that estimates the time, one second long if one repetition takes `once`.
    std::size_t estimation_run(std::size_t bytes, sonde::seconds once) const;
    /// Count that the time limit allows if one repetition takes `t`.
    std::size_t within_time(std::size_t bytes, sonde::seconds t) const;
    /// Record the count n of a size.
    void add(std::size_t bytes, std::size_t n);

private:
    struct size_count {
        std::size_t bytes;
        std::size_t n;
    };
    std::size_t iteration_limit(std::size_t bytes) const;

    count_rules rules_;
    std::size_t previous_;
    std::vector<size_count> earlier_;
};

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
