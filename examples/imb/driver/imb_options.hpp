// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/contents.hpp"
#include "suite/launch.hpp"
#include "suite/memory_kinds.hpp"
#include "suite/option_set.hpp"
#include "suite/options.hpp"
#include "suite/reports.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace imb {

using namespace suite;

/// Options that some programs lack.
enum class option_name : unsigned char {
    aggregate_mode,
    barrier,
    check,
    check_bits,
    contig_type,
    data_type,
    dir,
    hint,
    malloc_algo,
    mem_alloc_type,
    msgsize,
    noheader,
    red_data_type,
    root_shift,
    sync,
    window_size,
    zero_size
};
using option_set = suite::option_set<option_name>;

/// Options that only IMB-IO has, and those that only IMB-MPI1 has.
inline constexpr option_set file_options{option_name::dir, option_name::hint};
inline constexpr option_set mpi1_options{
    option_name::window_size,    option_name::data_type, option_name::red_data_type, option_name::contig_type,
    option_name::mem_alloc_type, option_name::msgsize,   option_name::check_bits};

/// Request of a command line.
enum class action : unsigned char { measure, help, list };

/// `-iter_policy`: number of repetitions of a size.
enum class policy : unsigned char { dynamic, off, multiple_np, automatic };

/// `-contig_type`: layout of the datatypes.
enum class layout : unsigned char { base, base_vec, resize, resize_vec };

/// `-aggregate_mode`: modes that run, of benchmarks with two.
enum class modes : unsigned char { aggregate, non_aggregate, both };

/// `-iter MSGS,VOL,NONAGGR`: most repetitions, most bytes, most repetitions of the non-aggregate mode.
struct iterations {
    std::size_t messages = 1000;
    std::size_t volume = std::size_t{40} << 20;
    std::size_t nonaggregate = 100;
};

/// `-off_cache`: sizes of a cache and of its lines in bytes.
struct cache {
    std::size_t bytes;
    std::size_t line;
};

/// `-map PxQ`: order of the ranks; 1x1: unchanged.
struct grid {
    int p = 1;
    int q = 1;
};

/// `-barrier`: synchronization of threads: none, MPI_Barrier, or a dissemination of messages.
enum class thread_barrier : unsigned char { off, mpi, dissemination };

/// `-malloc_algo`: allocation of buffers by one thread, a block for each thread (serial) or one block for all
/// (continuous), or by each thread (parallel).
enum class thread_allocation : unsigned char { serial, continuous, parallel };

/// Options of all programs. Their defaults are those of most programs.
struct options {
    action requested = action::measure;
    std::optional<std::string> explained; // `-help OPTION`
    std::vector<std::string> names;       // benchmarks, as written: arguments and those of -input
    std::vector<std::string> included;    // -include
    std::vector<std::string> excluded;    // -exclude
    threading level = threading::single;  // -thread_level
    int npmin = 2;                        // -npmin
    std::optional<int> multi;         // -multi; none: one group; 0: a table over all groups; else a line for each group
    bool groups_together = true;      // -group_start: groups begin at once, with one count
    std::optional<cache> off_cache;   // -off_cache
    iterations iter;                  // -iter
    policy counted = policy::dynamic; // -iter_policy
    sonde::seconds time{10};          // -time
    double memory = 1;                // -mem, in 2^30 bytes
    std::vector<std::size_t> sizes;   // -msglen, -msgsize; empty: those of -msglog
    int min_log = 0;                  // -msglog: exponents of 2, the first of them
    int max_log = 22;                 // the last
    grid map;                         // -map
    modes aggregate = modes::both;    // -aggregate_mode
    bool root_shift = false;          // -root_shift: each repetition has another root
    bool sync = true;                 // -sync: a barrier after each call of a collective
    bool own_barrier = false;         // -imb_barrier: a dissemination barrier in place of MPI_Barrier
    bool zero_size = true;            // -zero_size: 0 bytes before the sizes of -msglog
    bool warm_up = true;              // -warm_up: repetitions before those that count
    bool pause = false;               // -msg_pause: a pause after each size
    std::size_t window = 256;         // -window_size
    element data = element::byte;     // -data_type
    element reduced = element::real;  // -red_data_type
    layout contiguous = layout::base; // -contig_type
    memory_choice allocated;          // -mem_alloc_type; host: MPI_Alloc_mem
    bool check = false;               // -check: contents, in a separate pass, and a column of defects
    std::optional<std::size_t> bits;  // -check_bits: rounds in which all bits are compared
    std::string directory = ".";      // -dir: of the files of IO benchmarks
    std::vector<std::pair<std::string, std::string>> hints; // -hint KEY=VALUE: to MPI_File_open
    std::vector<suite::report_file> reports;
    // Of IMB-P2P.
    bool writes = true;      // -msgwr: messages are written before they are sent
    bool reads = true;       // -msgrd: messages are read after they have arrived
    long pause_us = 100'000; // -pause: before and after a size; negative: none
    // Of IMB-MT and IMB-HALO.
    int stride = 0;                                           // -stride: ranks between partners; 0: half of them
    std::size_t warm_ups = 100;                               // -warmup
    std::size_t repeats = 1000;                               // -repeat
    thread_barrier synchronization = thread_barrier::mpi;     // -barrier
    std::vector<std::size_t> counts;                          // -count: elements of messages; not empty after `parse`
    std::size_t alignment = 64;                               // -malloc_align
    thread_allocation allocation = thread_allocation::serial; // -malloc_algo
    bool header = true;                                       // -noheader
    std::vector<int> topology{1};                             // -topo: relative extents of the grid
};

/// True if messages lie in memory of a device's interface.
inline bool uses_device(options const& asked) { return needs_device(asked.allocated.kind); }

/// The options of most programs, in the order in which they are set, bound to the members of `into`. Those that the
/// program lacks are not taken.
std::vector<option_row> option_table(options& into, option_set lacks);

/// The row of an option that some programs lack.
option_row unless_lacking(option_set lacks, option_name which, option_row row);

// Options of IMB-P2P and IMB-MT, too, bound to members of `into`.
option_row help_option();
option_row list_option(options& into);
option_row thread_level_option(options& into, std::string help);
/// -input, -include, -exclude
std::vector<option_row> selection_options(options& into);
option_row window_size_option(options& into, std::string help);
option_row check_option(options& into, std::string help);

/// Names of benchmarks with commas between, appended; none is empty.
option_value name_list(std::vector<std::string>& into);
/// A file of sizes; see sizes_in.
option_value size_file(std::vector<std::size_t>& into);

} // namespace imb
