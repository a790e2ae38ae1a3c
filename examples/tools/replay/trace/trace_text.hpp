// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/fold.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The lines of a trace, as docs/sonde-replay.md describes them.

namespace tools::replay {

/// Version of the schema of a trace.
constexpr int trace_schema = 3;

/// Datatype of a message.
struct datatype {
    std::string name; // of a derived one: its construction
    std::int64_t size = 0;
    std::int64_t extent = 0;
};

/// What the numbers in events refer to.
struct event_tables {
    std::span<char const* const> calls;
    std::vector<std::string> sites, operations;
    std::vector<datatype> types;
    std::vector<std::vector<std::int64_t>> lists;
};

/// A window of one-sided operations.
struct window_about {
    std::string ranks;
    std::int64_t bytes = 0; // of this rank's memory
    std::int64_t unit = 1;  // bytes of a unit of displacements
    std::string flavor;     // "create", "allocate", "shared" or "dynamic"
};

/// A rank's time since its MPI_Init on the clock of rank 0, in seconds.
struct rank_clock {
    double begin = 0; // of the rank's time
    double drift = 0; // seconds a second by which rank 0's clock is faster
    double error = 0; // at most, while the clocks run at constant rates

    double global(double since_init) const { return begin + since_init + drift * since_init; }
};

/// About one thread of a rank.
struct rank_about {
    int rank = 0;
    int thread = 0;
    double begin = 0, end = 0; // in seconds since MPI_Init
    rank_clock clock{};
    bool crowded = false;                   // ranks of its host share too few processors
    std::vector<std::string> communicators; // ranks of the world
    std::vector<window_about> windows;
    std::map<std::string, std::uint64_t> not_recorded; // calls of functions that are not supported
    std::uint64_t dropped = 0;
};

/// About all ranks.
struct trace_about {
    int ranks = 0;
    std::string library, command;
};

/// The first line.
std::string trace_line(trace_about const& about);

/// The line of a program without its number: the calls of a thread in their order. Equal texts are one program.
std::string program_text(std::vector<node> const& nodes, event_tables const& tables);

/// The line of a program of this text.
std::string program_line(std::size_t number, std::string const& text);

/// The line of a rank's thread without the number of its program: times of all events of the program in their order.
std::string rank_text(rank_about const& about, std::vector<node> const& nodes);

/// The line of a rank's thread.
std::string rank_line(std::size_t program, std::string const& text);

/// The last line, by which a reader knows that nothing is missing: the number of lines before it.
std::string end_line(std::size_t lines);

/// "shared,nocheck": bits of `mode_bit`.
std::string mode_text(std::int32_t mode);

/// The bits of a text; std::nullopt for a name that is none.
std::optional<std::int32_t> mode_of(std::string const& text);

/// "0-3,8,10-14:2": ranks in a given order, a range where they follow each other at one distance.
std::string ranks_text(std::span<int const> ranks);

} // namespace tools::replay
