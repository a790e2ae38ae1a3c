// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace imb {

struct setting;

/// The classes of benchmarks: which numbers of processes they run with, and the columns of their tables.
enum class family : unsigned char {
    single_transfer,   // 2 processes (IO: 1), one time
    single_element,    // 2, one size
    parallel_transfer, // any number, times and bandwidth
    message_rate,      // even
    collective,        // any number, times
    synchronization,   // any number, no size
    passive            // any number, one time: that of rank 0
};

/// What a table shows.
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

/// Of transfers and their completion: all transfers and then one completion, or each with its own; `only`, where there
/// is no such choice.
enum class mode : unsigned char { only, aggregate, non_aggregate };

/// The share of t_CPU and t_pure that is hidden is of the larger of them, or of the smaller.
enum class hidden_of : unsigned char { larger, smaller };

/// Bytes that a rank sends from and receives into.
struct lengths {
    std::size_t send;
    std::size_t receive;
};

/// What n repetitions took: records equal on all ranks of the group, of one repetition. Ranks that do not measure are
/// responders or idle.
struct outcome {
    sonde::record pure;                   // as the benchmark is; of those with overlap, communication alone
    std::optional<sonde::record> overlap; // beside work
    std::optional<sonde::record> work;    // the work alone, or in between
};

/// A benchmark for one size, ready to run. All are collective over the group.
struct work {
    std::function<outcome(std::size_t n)> measure;
    std::function<double()> defects{}; // `-check`: the largest relative deviation over ranks; 1 for more than 0.01;
                                       // empty where nothing is moved
};

/// One benchmark: all that the driver needs to run it.
struct benchmark {
    std::string name;
    family kind = family::collective;
    columns shows = columns::range;
    std::function<work(setting&)> make;
    std::function<lengths(std::size_t s, std::size_t ranks)> needs; // s: the size, at least 4
    double time_factor = 1;                                         // of printed times
    double bandwidth_factor = 1;
    bool to_all_others = false;          // the bandwidth is that of P - 1 messages of the size
    std::vector<mode> modes{mode::only}; // in the order in which they run
    mode shown_as = mode::only;          // of a benchmark of one mode: the MODE line it prints anyway
    bool by_default = true;
    bool reduces = false;             // sizes are multiples of the reduction type, not of the data type
    bool rooted = false;              // rank 0 is the root, or each in turn: `-iter_policy auto`, memory
    bool disjoint = false;            // each of the n transfers has a place of its own in the buffers
    bool counts_nonaggregate = false; // its repetitions are the third of -iter, whatever the mode
    hidden_of overlap_of = hidden_of::larger;
    std::vector<std::string> comment{}; // lines below the name in the list
};

} // namespace imb
