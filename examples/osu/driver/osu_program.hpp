// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/agreement.hpp"
#include "suite/devices.hpp"
#include "suite/option_set.hpp"
#include "suite/values.hpp"

#include <cstddef>
#include <string>

namespace osu {

/// Options that a program takes or lacks. `common` stands for those of all programs, `measurement` for those of all
/// programs that measure.
enum class option_name : unsigned char {
    accelerator,
    array_size,
    beside,
    bit_check,
    buffer_number,
    cache,
    common,
    derived_datatype,
    full,
    graph,
    in_place,
    measurement,
    memory_limit,
    message_size,
    neighborhood,
    pairs,
    papi,
    partitions,
    payload,
    percentiles,
    print_rate,
    root_rank,
    session,
    staged,
    test_calls,
    type,
    validation,
    validation_warmup,
    vary_window,
    window_creation,
    window_size,
    window_synchronization,
    witness,
    work_place
};

using option_set = suite::option_set<option_name>;

// Groups of options.
inline constexpr option_set startup_options{option_name::common};
inline constexpr option_set measurement_options{option_name::common, option_name::measurement,
                                                option_name::message_size};
inline constexpr option_set common_options =
    measurement_options |
    option_set{option_name::graph, option_name::percentiles, option_name::session, option_name::witness};
inline constexpr option_set validation_options{option_name::validation, option_name::validation_warmup};
inline constexpr option_set datatype_options{option_name::derived_datatype, option_name::type};
inline constexpr option_set buffer_options{option_name::accelerator, option_name::buffer_number, option_name::cache,
                                           option_name::staged};
inline constexpr option_set latency_options = common_options | buffer_options | validation_options | datatype_options |
                                              option_name::bit_check | option_name::papi;
inline constexpr option_set bandwidth_options = latency_options | option_name::test_calls | option_name::window_size;

using namespace suite;

/// Quantity in the rows of a program.
///
///     latency       microseconds of one message, half a round trip
///     bandwidth     MB/s
///     rate          MB/s and messages per second
///     congestion    MB/s of messages of one rank and several peers; OMB titles the column as a latency
///     collective    microseconds of a collective operation
///     overlap       microseconds of a non-blocking collective operation and its parts, beside work
///     message_rate  messages per second
///     atomics       millions of operations per second, and microseconds of one operation
///     put_overlap   microseconds of a non-blocking put and its parts, beside work
///     early_bird    microseconds of a message in partitions that work produces, and the part that the work hides
enum class metric : unsigned char {
    latency,
    bandwidth,
    rate,
    congestion,
    collective,
    overlap,
    message_rate,
    atomics,
    put_overlap,
    early_bird
};

/// True if higher is better: a row shows MB/s or messages per second.
constexpr bool is_rate(metric as) {
    return as == metric::bandwidth || as == metric::rate || as == metric::congestion || as == metric::message_rate;
}

/// Number of ranks that a program needs.
enum class ranks : unsigned char { exactly_two, at_least_two, even };

/// Meaning of `-t`: ignored; number of threads or of processes of each side; number of MPI_Test calls beside work.
enum class probes : unsigned char { ignored, threads, processes, tests };

/// Rows of a table: one for each size; one without a size; one of a single element; one for each of several operations.
enum class rows : unsigned char { sizes, one, one_element, operations };

struct library;
struct options;

/// Differences of a program's output.
struct output_style {
    bool blank_line = true; // above the title
    bool titled = true;     // there is a title
    bool suffixed = true;   // the title has the suffix of `-d`
    int value_width = 18;   // of the first value, unless contents are validated
    char const* latency_title = "Avg Latency(us)";
    char const* right_contents = "Pass"; // in the column of `-c`
    char const* wrong_contents = "Fail";
};

/// Output of one-sided programs.
inline constexpr output_style one_sided_style{
    .blank_line = false, .latency_title = "Latency (us)", .right_contents = "passed", .wrong_contents = "failed"};

/// Description of a program: everything but its pattern and its plan.
struct program {
    std::string name;
    std::string title;
    library const& moved_by; // the data
    option_set accepted{};   // options that the program takes
    metric shows = metric::latency;
    std::size_t smallest = 1;
    std::size_t largest = std::size_t{1} << 22;
    osu::rows rows = rows::sizes;
    std::size_t operations = 0; // number of rows that are operations
    ranks needs = ranks::exactly_two;
    probes t_means = probes::ignored;
    output_style style{};
    bool passive_targets = true;       // `-s` accepts passive targets, too
    bool reals = true;                 // `-T` accepts MPI_FLOAT
    bool managed_sides = true;         // the buffer places MH and MD are distinct
    bool heap_or_global = false;       // the program takes the word heap or global
    bool additional = false;           // OMB has no such program, which the help says
    char const* rotating_refused = ""; // why --cache rotating is refused; empty: it is not

    /// True for an accepted option that the library does not lack.
    bool takes(option_name one) const;
};

/// True for a collective operation: all buffers are of one kind of memory. Messages and one-sided transfers have a
/// source and a destination.
inline bool is_collective(program const& about) {
    return about.shows == metric::collective || about.shows == metric::overlap;
}

/// True for messages between ranks, which have buffers on both sides.
inline bool moves_messages(program const& about) { return about.takes(option_name::buffer_number); }

} // namespace osu
