// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/contents.hpp"
#include "suite/launch.hpp"
#include "suite/memory_kinds.hpp"
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

/// Options of the programs that share a driver, and those of IMB-P2P and IMB-MT that they have in common.
struct options {
    action requested = action::measure;
    std::optional<std::string> explained; // `-help OPTION`
    std::vector<std::string> names;       // benchmarks, as written: arguments and those of -input
    std::vector<std::string> included;    // -include
    std::vector<std::string> excluded;    // -exclude
    threading level = threading::single;  // -thread_level
    std::optional<int> npmin;             // -npmin; none: the component's
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
    std::string directory = ".";      // -dir: of the files of IO benchmarks
    std::vector<std::pair<std::string, std::string>> hints; // -hint KEY=VALUE: to MPI_File_open
    std::vector<suite::report_file> reports;
};

/// True if messages lie in memory of a device's interface.
inline bool uses_device(options const& asked) { return needs_device(asked.allocated.kind); }

struct component;

/// Parse the command line of a program. No MPI is needed; each rank that calls reads the files that it names. Throws
/// suite::refusal.
options parse(component const& about, int argc, char const* const* argv);

/// The options of the programs that share a driver, in the order in which they are set, bound to the members of `into`.
/// Those that the program lacks are not taken.
std::vector<option_row> option_table(options& into, component const& about);

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

/// Arguments of a command line. With -help or -h anywhere there are no others.
struct command_line {
    bool help = false;
    std::optional<std::string> explained{}; // `-help NAME`, without the dash
    std::vector<given_option> options{};    // in the order given, with repeated ones
    std::vector<std::string> operands{};    // arguments that belong to no option, in the order given
};

/// Takes a command line apart: names follow one dash, those of options that IMB lacks also two; the value is the next
/// argument, also a negative number. Throws suite::refusal for an unknown option and for a missing value; -help and -h
/// are always known. The rows must outlive the result.
command_line read(std::vector<option_row> const& rows, int argc, char const* const* argv,
                  option_style style = option_style::one_dash);

/// Parse a command line of IMB-P2P or IMB-MT, whose options are set in the order given. The rows are bound to `into`.
/// Throws suite::refusal.
void parse_in_order(options& into, std::vector<option_row> const& rows, int argc, char const* const* argv,
                    option_style style);

/// What -help prints: all options or, with `-help NAME`, that option.
std::string usage(std::string const& program, std::vector<option_row> const& rows,
                  std::optional<std::string> const& explained);

/// A benchmark in the list of a program.
struct list_entry {
    std::string name;
    bool by_default = true;
    std::vector<std::string> comment{}; // lines below the name
};

/// Numbers of the entries to run, in the order in which they run; one that is requested twice runs twice. Throws
/// suite::refusal for an unknown name, and if -exclude leaves none.
std::vector<std::size_t> selected_entries(std::vector<list_entry> const& all, options const& asked);

/// Text of -list.
std::string list(std::string const& program, std::vector<list_entry> all);

/// The list of a program's benchmarks; rows of IMB-P2P and IMB-MT have only a name.
template <class Row>
std::vector<list_entry> entries_of(std::vector<Row> const& rows) {
    std::vector<list_entry> all;
    for (auto const& row : rows) {
        if constexpr (requires { row.by_default; }) all.push_back({row.name, row.by_default, row.comment});
        else all.push_back({row.name});
    }
    return all;
}

/// The rows to run: see `selected_entries`.
template <class Row>
std::vector<Row const*> selected(std::vector<Row> const& rows, options const& asked) {
    std::vector<Row const*> found;
    for (auto const i : selected_entries(entries_of(rows), asked)) found.push_back(&rows[i]);
    return found;
}

} // namespace imb
