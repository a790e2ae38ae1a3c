// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>

namespace osu {

/// Iterations of one size: timed, and untimed before them.
struct counts {
    std::size_t iterations;
    std::size_t warmup;
};

/// What a program counts by itself: up to 8192 bytes, and above. Made anew for each size: nothing sticks.
struct schedule {
    counts small;
    counts large;
};

constexpr schedule latency_counts{{10'000, 100}, {1'000, 10}};
constexpr schedule bandwidth_counts{{100, 10}, {20, 2}};
constexpr schedule rate_counts{{100, 10}, {100, 10}};

constexpr schedule collective_counts{{1'000, 100}, {100, 10}};

/// What a row shows of a time: microseconds one way, MB/s, MB/s and messages a second, MB/s called a latency,
/// microseconds of a collective operation, or those of its parts beside work.
enum class figure : unsigned char { latency, bandwidth, rate, congestion, collective, overlap };

constexpr bool is_rate(figure as) { return as == figure::bandwidth || as == figure::rate || as == figure::congestion; }

/// How many ranks a program needs.
enum class ranks : unsigned char { exactly_two, at_least_two, even, several_nodes };

/// What `-t` means: nothing, how many threads or processes there are on each side, or calls of MPI_Test beside work.
enum class probes : unsigned char { ignored, threads, processes, tests };

constexpr char const* latency_letters = "hvmxidbcuGDPTIz";
constexpr char const* bandwidth_letters = "hvmxitWbdcuGDPTIz";

struct options;

/// What tells one program from the others: all that is not its pattern.
struct program {
    std::string name;
    std::string title;
    std::string letters; // the options it takes
    figure shows = figure::latency;
    schedule counted = latency_counts;
    std::size_t smallest = 1;
    std::size_t largest = std::size_t{1} << 22;
    bool sized = true; // there is a row for every size, not one alone
    ranks needs = ranks::exactly_two;
    probes t_means = probes::ignored;
    bool initiator_receives = true;                          // data, that is: what `-c` checks there
    bool blank_line = true;                                  // before the title
    bool thread_multiple = false;                            // MPI_THREAD_MULTIPLE is asked for, and needed
    bool narrow_value = false;                               // the value in ten characters, unless contents are checked
    std::string (*announce)(options const& asked) = nullptr; // lines above all others
    bool one_sided = false;                                  // in OMB's words for such
    bool one_element = false;                                // there is one row, of an element
    bool active_only = false;                                // -s: targets take part
    bool reals = true;                                       // -T: MPI_FLOAT is one

    bool suffixed = true; // the title says what -d does
    bool nccl = false;    // NCCL moves what is on devices; MPI only brings ranks together

    bool takes(char letter) const { return letters.find(letter) != std::string::npos; }
};

/// Buffers of a collective are of one kind; messages and windows have a source and a destination.
inline bool is_collective(program const& about) {
    return about.shows == figure::collective || about.shows == figure::overlap;
}

/// Are its rows of messages that NCCL moves between two ranks?
inline bool is_nccl_pair(program const& about) { return about.nccl && !is_collective(about); }

/// Are its rows of messages between ranks, which may be on a device?
inline bool moves_messages(program const& about) {
    return about.takes('d') && !about.one_sided && !is_collective(about);
}

/// Takes it --staged: messages to several peers at once have no place of their own in host memory.
inline bool stages(program const& about) {
    return moves_messages(about) && !about.nccl && about.shows != figure::congestion;
}

} // namespace osu
