// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../common/report_file.hpp"

#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace imb {

enum class wish : unsigned char { measure, help, list };

/// `-thread_level`.
enum class threading : unsigned char { single, funneled, serialized, multiple };

/// `-iter_policy`: how many repetitions a size gets.
enum class policy : unsigned char { dynamic, off, multiple_np, automatic };

/// `-data_type`, `-red_data_type`.
enum class element : unsigned char { byte, character, integer, real, double_real };

/// `-contig_type`.
enum class layout : unsigned char { base, base_vec, resize, resize_vec };

/// `-aggregate_mode`: which modes of a benchmark run that has two.
enum class modes : unsigned char { aggregate, non_aggregate, both };

/// `-iter`: MSGS, VOL (in bytes), NONAGGR.
struct iterations {
    std::size_t messages = 1000;
    std::size_t volume = std::size_t{40} << 20;
    std::size_t nonaggregate = 100;
};

/// `-off_cache`: sizes of a cache and of one of its lines in bytes.
struct cache {
    std::size_t bytes;
    std::size_t line;
};

/// `-map PxQ`; none: ranks as they come.
struct grid {
    int p = 1;
    int q = 1;
};

/// What the command line asks for, of the programs that share a driver.
struct options {
    wish wanted = wish::measure;
    std::optional<std::string> explained; // `-help OPTION`
    std::vector<std::string> names;       // benchmarks asked for, as written: words and those of -input
    std::vector<std::string> included;    // -include
    std::vector<std::string> excluded;    // -exclude
    threading level = threading::single;  // -thread_level
    std::optional<int> npmin;             // none: the component's
    std::optional<int> multi;             // none: one group; 0: a table over all groups; else a line a group
    bool groups_together = true;          // -group_start together|apart: do groups begin at once, with one count?
    std::optional<cache> off_cache;       // -off_cache
    iterations iter;                      // -iter
    policy counted = policy::dynamic;     // -iter_policy
    sonde::seconds time{10};              // -time
    double memory = 1;                    // -mem, in 2^30 bytes
    std::vector<std::size_t> sizes;       // -msglen, -msgsize; empty: as -msglog says
    int min_log = 0;                      // -msglog: exponents of 2, the first of them
    int max_log = 22;                     // the last
    grid map;                             // -map
    modes aggregate = modes::both;        // -aggregate_mode
    bool root_shift = false;              // -root_shift: each repetition has another root
    bool sync = true;                     // -sync: a barrier after each call of a collective
    bool own_barrier = false;             // -imb_barrier: a dissemination barrier in place of MPI_Barrier
    bool zero_size = true;                // -zero_size: 0 bytes before the sizes of -msglog
    bool warm_up = true;                  // -warm_up: repetitions before those that count
    bool pause = false;                   // -msg_pause
    std::size_t window = 256;             // -window_size
    element data = element::byte;         // -data_type
    element reduced = element::real;      // -red_data_type
    layout contiguous = layout::base;     // -contig_type
    bool check = false;                   // -check: contents, in a pass of its own, and a column of defects
    std::string directory = ".";          // -dir: where IO tests make their files
    std::vector<std::pair<std::string, std::string>> hints; // -hint KEY=VALUE: to MPI_File_open
    std::vector<common::report_file> reports;
};

} // namespace imb
