// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/imb_options.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

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

/// Columns of a table.
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

/// A row of the list of benchmarks.
struct benchmark {
    std::string name;
    family kind = family::collective;
    columns shows = columns::range;
    std::function<work(setting&)> make;                             // collective over the setting's group
    std::function<lengths(std::size_t s, std::size_t ranks)> needs; // buffers of one repetition of size s, at least 4
    double time_factor = 1;                                         // of printed times
    double bandwidth_factor = 1;
    bool to_all_others = false;          // the bandwidth counts P - 1 messages of the size
    std::vector<mode> modes{mode::only}; // in the order in which they run
    mode shown_as = mode::only;          // the printed MODE of a benchmark with a single mode
    bool by_default = true;
    bool reduces = false;             // sizes are multiples of the reduction type, not of the data type
    bool rooted = false;              // has a root, rank 0 or rotating: matters to `-iter_policy auto` and to memory
    bool disjoint = false;            // each repetition has buffers of its own
    bool counts_nonaggregate = false; // the third number of -iter limits its repetitions in every mode
    overlap_base overlap_relative_to = overlap_base::larger;
    std::vector<std::string> comment{}; // lines below the name in the list
};

/// Lines of the header that end with a blank, as IMB's do.
struct blanks {
    bool calling = false;    // the command line
    bool reductions = false; // the datatype of reductions
    bool last = false;       // the empty lines at the end
};

/// Description of a program.
struct component {
    std::string program{};                    // "IMB-MPI1"; imb.cpp has the names
    std::string part;                         // "MPI-1 part"
    std::vector<benchmark> tests;             // in the order of the list
    std::vector<std::string> lacks{};         // names of the options that this program does not have
    int npmin = 2;                            // default of -npmin
    std::size_t smallest_unit = 1;            // in bytes; sizes are multiples of it (EXT: 4)
    std::size_t estimated_repetitions = 1000; // limit of the run that estimates a repetition count (IO: 50)
    bool warms_up = true;
    bool io = false;      // header and process counts of IMB-IO
    bool windows = false; // every benchmark opens an RMA window, in all groups at the same time
    imb::blanks blanks{};
    /// Hook that runs once, before the first benchmark; `overlaps`: a selected benchmark measures overlap. Returns the
    /// text below the list in the header. Throws suite::refusal on all ranks. Collective over the world.
    std::function<std::string(options const&, bool overlaps, sonde::mpi::group const& world)> prepare{};
};

/// Options that only IMB-MPI1 has, and `more`: the value of `component::lacks` for other programs.
inline std::vector<std::string> lacking(std::vector<std::string> more) {
    for (auto const* name : {"window_size", "data_type", "red_data_type", "contig_type", "mem_alloc_type", "msgsize"})
        more.emplace_back(name);
    return more;
}

/// `main` of a program: the exit status. Invalid input is refused on every rank, with one line on rank 0 and status 1,
/// before any measurement.
int launch(int argc, char** argv, component const& about);

} // namespace imb
