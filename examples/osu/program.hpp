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

/// What a row shows of a time: microseconds one way, MB/s, MB/s and messages a second, or MB/s called a latency.
enum class figure : unsigned char { latency, bandwidth, rate, congestion };

/// How many ranks a program needs.
enum class ranks : unsigned char { exactly_two, at_least_two, even, several_nodes };

/// What `-t` means: nothing, or how many threads or processes there are on each side.
enum class probes : unsigned char { ignored, threads, processes };

constexpr char const* latency_letters = "hvmxibcuGDPTIz";
constexpr char const* bandwidth_letters = "hvmxitWbcuGDPTIz";

struct options;

/// What tells one program from the others: all that is not its pattern.
struct program {
    char const* name;
    char const* title;
    char const* letters; // the options it takes, in the order of its help
    figure shows = figure::latency;
    schedule counted = latency_counts;
    std::size_t smallest = 1;
    ranks needs = ranks::exactly_two;
    probes t_means = probes::ignored;
    bool initiator_receives = true;                          // data, that is: what `-c` checks there
    bool blank_line = true;                                  // before the title
    bool thread_multiple = false;                            // MPI_THREAD_MULTIPLE is asked for, and needed
    bool narrow_value = false;                               // the value in ten characters, unless contents are checked
    std::string (*announce)(options const& asked) = nullptr; // lines above all others
};

} // namespace osu
