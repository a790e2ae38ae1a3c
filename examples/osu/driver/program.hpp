// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/option_set.hpp"
#include "suite/device.hpp"
#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <cstddef>
#include <string>

namespace osu {

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
enum class metric : unsigned char {
    latency,
    bandwidth,
    rate,
    congestion,
    collective,
    overlap,
    message_rate,
    atomics,
    put_overlap
};

/// True if higher is better: a row shows MB/s or messages per second.
constexpr bool is_rate(metric as) {
    return as == metric::bandwidth || as == metric::rate || as == metric::congestion || as == metric::message_rate;
}

/// Library that moves the data. MPI starts the ranks of all programs. NCCL's data is in device memory, that of
/// OpenSHMEM in symmetric memory.
enum class data_library : unsigned char { mpi, nccl, openshmem };

/// Number of ranks that a program needs.
enum class ranks : unsigned char { exactly_two, at_least_two, even, several_nodes };

/// Meaning of `-t`: ignored; number of threads or of processes of each side; number of MPI_Test calls beside work.
enum class probes : unsigned char { ignored, threads, processes, tests };

struct options;

/// Description of a program: everything but its pattern and its plan.
struct program {
    std::string name;
    std::string title;
    option_set accepted{}; // options with letters that the program takes
    metric shows = metric::latency;
    std::size_t smallest = 1;
    std::size_t largest = std::size_t{1} << 22;
    bool sized = true; // a row for each size; otherwise one row without a size
    ranks needs = ranks::exactly_two;
    probes t_means = probes::ignored;
    bool initiator_receives = true; // `-c` validates the initiator's receive buffer, too
    bool persistent = false;        // persistent requests are bound to their buffers, so `--cache rotating` is refused
    bool blank_line = true;         // above the title
    bool thread_multiple = false;   // the program needs MPI_THREAD_MULTIPLE
    bool narrow_value = false;      // the value has ten characters unless contents are validated
    std::string (*preamble)(options const& settings) = nullptr; // lines above the title
    bool one_sided = false;                                     // one-sided operations
    bool one_element = false;                                   // one row, of one element
    bool active_only = false;                                   // `-s` accepts active targets only
    bool reals = true;                                          // `-T` accepts MPI_FLOAT
    bool suffixed = true;                                       // the title has the suffix of `-d`
    bool objects = false;                                       // the program takes --payload
    data_library moved_by = data_library::mpi;
    std::size_t named_rows = 0;  // number of rows with the name of an operation instead of a size; 0: none
    bool heap_or_global = false; // the program takes the word heap or global

    bool takes(option_name one) const { return accepted.contains(one); }
};

/// True for a collective operation: all buffers are of one kind of memory. Messages and one-sided transfers have a
/// source and a destination.
inline bool is_collective(program const& about) {
    return about.shows == metric::collective || about.shows == metric::overlap;
}

inline bool uses_nccl(program const& about) { return about.moved_by == data_library::nccl; }
inline bool uses_openshmem(program const& about) { return about.moved_by == data_library::openshmem; }

/// Name of the library of the xccl programs: RCCL has the functions of NCCL for AMD's devices.
constexpr auto const* xccl_name = suite::gpu_api == device_api::rocm ? "RCCL" : "NCCL";

/// True for messages that NCCL moves between two ranks.
inline bool is_nccl_pair(program const& about) { return uses_nccl(about) && !is_collective(about); }

/// True for messages between ranks that may be in device memory.
inline bool moves_messages(program const& about) {
    return about.takes(option_name::accelerator) && !about.one_sided && !is_collective(about);
}

/// True if the program takes `--staged`. Messages of several peers at once have no staging buffers.
inline bool stages(program const& about) {
    return moves_messages(about) && !uses_nccl(about) && about.shows != metric::congestion;
}

} // namespace osu
