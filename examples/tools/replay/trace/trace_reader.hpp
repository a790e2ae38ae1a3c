// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tools::replay {

/// An event of a program, or a loop.
struct step {
    std::string call{};                             // of an event, without "MPI_"
    event what{};                                   // of an event; its `call` and its lists are not used
    std::vector<std::int64_t> counts{}, requests{}; // of an event
    bool is_invalid = false;                        // of an event: MPI refuses its arguments, so it moves nothing
    std::size_t place = 0;                          // of an event: its number in the program
    std::uint64_t passes = 0;                       // of a loop
    std::vector<step> body{};                       // of a loop

    bool is_loop() const { return passes != 0; }
};

/// Calls in their order, of all threads that make the same calls.
struct program {
    std::vector<std::string> sites{}, operations{};
    std::vector<datatype> types{};
    std::vector<step> body{};
    std::size_t events = 0;

    /// Bytes of an element; 0 for no type.
    std::int64_t size_of(std::int32_t type) const {
        return type == absent ? 0 : types[static_cast<std::size_t>(type)].size;
    }
};

/// Rows that a step has in the kept passes of a loop around it.
std::size_t kept_rows(step const& s);

/// Ranks in MPI_COMM_WORLD. Copies have the same memory: most communicators of a trace have all ranks, on each rank.
class rank_list {
public:
    rank_list() = default;
    rank_list(std::vector<int> ranks) : ranks_{std::make_shared<std::vector<int> const>(std::move(ranks))} {}
    rank_list(std::initializer_list<int> ranks) : rank_list{std::vector<int>{ranks}} {}

    operator std::vector<int> const&() const { return ranks_ ? *ranks_ : no_ranks; }
    int operator[](std::size_t i) const { return (*ranks_)[i]; }
    int const* data() const { return ranks_->data(); }
    std::size_t size() const { return ranks_ ? ranks_->size() : 0; }
    bool empty() const { return size() == 0; }
    void clear() { ranks_.reset(); }

private:
    static inline std::vector<int> const no_ranks{};
    std::shared_ptr<std::vector<int> const> ranks_;
};

/// Ranks of a communicator.
struct communicator {
    rank_list world{};  // the rank in MPI_COMM_WORLD of each rank; empty: an intercommunicator
    int rank = 0;       // of the process whose line it is
    std::string text{}; // equal on all ranks of the communicator, and of no other one at the same time

    int size() const { return static_cast<int>(world.size()); }
    /// Rank in the communicator of the partner at a distance from 0.
    int partner(distance d) const { return (rank + d) % size(); }
};

/// A window of one-sided operations.
struct window {
    communicator ranks{};
    std::int64_t bytes = 0; // of the memory of the process whose line it is
    std::int64_t unit = 1;  // bytes of a unit of displacements
    std::string flavor{};   // "create", "allocate", "shared" or "dynamic"
};

/// Displacements of a call, from the least to the greatest, in units of the target's window.
using displacement_range = std::array<std::int64_t, 2>;

/// Times of a call in the passes of a loop that are kept, in seconds.
using kept_times = std::array<double, kept_passes::chosen>;

/// Passes of a loop that is in no other one: a row for each call of the loop. An inner loop has the rows of its body
/// again for each of its passes, as many as `passes_inside` says.
struct loop_passes {
    std::size_t place = 0;                          // of the loop's first call in the program
    std::vector<kept_times> think{}, call{}, end{}; // the ends since MPI_Init
};

/// Times of one thread of a rank.
struct thread_trace {
    int rank = 0;
    int thread = 0;
    std::size_t program = 0; // in the trace
    double begin = 0, end = 0;
    rank_clock clock{};
    bool crowded = false; // ranks of its host share too few processors
    std::vector<communicator> communicators;
    std::vector<window> windows;
    std::uint64_t dropped = 0;
    std::map<std::string, std::uint64_t> not_recorded;
    std::vector<times::slices> think, call; // of each event
    std::vector<loop_passes> passes;        // of each loop that is in no other one
    std::map<std::size_t, std::uint64_t> polls;
    std::map<std::size_t, std::vector<std::pair<int, std::uint64_t>>> matched;
    std::map<std::size_t, displacement_range> displacements;
};

struct trace {
    trace_about about;
    std::vector<program> programs;
    std::vector<thread_trace> threads; // in the order of ranks and threads
    std::vector<std::string> remarks;  // what is missing

    /// True if ranks of some host share too few processors.
    bool crowded() const {
        return std::any_of(threads.begin(), threads.end(), [](thread_trace const& t) { return t.crowded; });
    }
};

/// Read files: one that has all ranks, or those of single ranks. What is behind a cut is missing, with a remark. Throws
/// std::runtime_error, which names file and line, for a file that is no trace or of another schema, and for files of
/// different runs.
trace read_trace(std::vector<std::string> const& paths);

/// The ranks of a text "0-3,8-12:2", each of them once; empty for a text of another form and for a rank that is none of
/// the `all` ranks of MPI_COMM_WORLD.
std::vector<int> ranks_of_text(std::string const& text, int all);

} // namespace tools::replay
