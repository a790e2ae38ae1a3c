// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace imb {

struct setting;

/// Classes of benchmarks. The class decides the numbers of processes and the columns of the table.
enum class family : unsigned char {
    single_transfer,   // 2 processes (IO: 1), one time
    single_element,    // 2 processes, one size
    parallel_transfer, // any number of processes; times and bandwidth
    message_rate,      // even numbers of processes
    collective,        // any number of processes; times
    synchronization,   // any number of processes; no size
    passive            // any number of processes; one time, rank 0's
};

/// Columns of a table. IMB-MT has three of them, and its own order of the times.
enum class columns : unsigned char {
    time_bandwidth,
    rate,
    range_bandwidth,
    range,
    sync,
    sync_overlap,
    overlap,
    passive_overlap
};

/// Completion of transfers: one completion after all transfers (aggregate), or one for each transfer. `only`: the
/// benchmark does not distinguish the two.
enum class mode : unsigned char { only, aggregate, non_aggregate };

/// Denominator of the overlap percentage: the larger or the smaller one of t_CPU and t_pure.
enum class overlap_base : unsigned char { larger, smaller };

/// Bytes of a rank's send buffer and of its receive buffer.
struct lengths {
    std::size_t send;
    std::size_t receive;
};

/// Buffers of several messages of s bytes, whatever the number of ranks.
template <std::size_t Sent, std::size_t Received>
lengths buffers_for(std::size_t s, std::size_t) {
    return {Sent * s, Received * s};
}

/// Result of one size in one group. Records are per repetition and equal on all ranks of the group. Ranks whose time
/// does not count are responders or idle.
struct result {
    sonde::record pure;                     // the benchmark; with overlap: the communication alone
    std::optional<sonde::record> overlap{}; // communication and work at the same time
    std::optional<sonde::record> work{};    // the work, alone or during the communication
    std::size_t repetitions = 0;
    std::optional<double> defects{}; // `-check`; none: not checked
};

/// A benchmark of one size, ready to run. Its functions are collective over the group.
struct work {
    std::function<result(std::size_t n)> measure; // n repetitions; `repetitions` and `defects` are left to the driver
    std::function<double()> defects{}; // `-check`: the largest relative deviation over all ranks, where more than 0.01
                                       // is 1; empty if the benchmark moves no data
};

/// A row of the list of benchmarks of any program.
struct benchmark {
    std::string name;
    family kind = family::collective;
    columns shows = columns::range;
    std::function<work(setting&)> make; // collective over the setting's group
    /// Buffers of one repetition of size s, at least 4.
    std::function<lengths(std::size_t s, std::size_t ranks)> needs = buffers_for<1, 1>;
    double time_factor = 1; // of printed times
    double bandwidth_factor = 1;
    bool to_all_others = false;          // the bandwidth counts P - 1 messages of the size
    std::vector<mode> modes{mode::only}; // in the order in which they run
    mode shown_as = mode::only;          // the printed MODE of a benchmark with a single mode
    mode counted_as = mode::only;        // the mode whose limit of -iter a benchmark with a single mode has
    bool by_default = true;
    bool reduces = false;  // sizes are multiples of the reduction type, not of the data type
    bool rooted = false;   // has a root, rank 0 or rotating: matters to `-iter_policy auto` and to memory
    bool disjoint = false; // each repetition has buffers of its own
    overlap_base overlap_relative_to = overlap_base::larger;
    std::vector<std::string> comment{}; // lines below the name in the list
    // Of IMB-P2P, which runs on all ranks or not at all.
    bool (*fits)(int ranks) = nullptr;
    std::string (*layout)(int ranks) = nullptr;    // the ranks' grid, in the title
    char const* unfit = "invalid for % processes"; // printed in place of a table; % is the number
};

} // namespace imb
