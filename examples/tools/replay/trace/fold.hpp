// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/event.hpp"
#include "tools/replay/trace/kept_passes.hpp"
#include "tools/replay/trace/times.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tools::replay {

/// What an event has each time anew.
struct sample {
    std::chrono::nanoseconds think{};   // from the end of the call before it
    std::chrono::nanoseconds call{};    // in the call
    std::chrono::nanoseconds end{};     // of the call, since MPI_Init
    std::uint32_t polls = 0;            // tests and probes before it that found nothing
    std::int32_t matched = absent;      // rank in the communicator that a receive from any source matched
    std::int64_t displacement = absent; // in the target's window, in units of the window
};

/// All samples of an event.
struct samples {
    times think, call;
    std::uint64_t polls = 0;
    std::vector<std::pair<std::int32_t, std::uint64_t>> matched; // rank, count, by the rank
    std::int64_t nearest = absent, farthest = absent;            // displacements; absent: none

    void add(sample const& s);
    samples& operator+=(samples const& more);
    /// Note displacements from `least` to `most`.
    void reach(std::int64_t least, std::int64_t most);
};

/// An event, or a loop: events and loops that were repeated.
struct node {
    event what{};                        // of an event
    samples measured{};                  // of an event
    std::chrono::nanoseconds end{};      // of an event: of the first call, since MPI_Init
    std::uint64_t passes = 0;            // of a loop; 0: this is an event
    std::vector<node> body{};            // of a loop
    std::unique_ptr<kept_passes> kept{}; // of a loop that is in no other one
    std::uint64_t hash = 0;

    bool is_loop() const { return passes != 0; }
};

/// Events of a rank in order, with repetitions folded into loops while they are added: the regular section descriptors
/// of M. Noeth et al., ScalaTrace, J. Parallel Distrib. Comput. 69 (2009). The last events are compared with those
/// before them, the shortest repetition first. A loop whose passes go on costs a comparison per event.
class folded_events {
public:
    /// No more than about `limit` bytes are kept: later events that do not repeat others are counted and dropped.
    explicit folded_events(std::size_t limit) : limit_{limit} {}

    void add(event const& e, sample const& s);
    /// Make events of the pass that is not complete. Later events complete the pass all the same.
    void close();
    /// Count an event that is not kept.
    void drop();
    /// An event that is not over becomes the last node, until it is removed. After `close`, and before other events.
    void push_incomplete(event const& e, sample const& s) { push(e, s); }
    void pop_incomplete() { remove_last(1); }

    /// All nodes, after `close`.
    std::vector<node> const& nodes() const { return nodes_; }
    std::uint64_t dropped() const { return dropped_; }
    std::size_t bytes() const { return bytes_; }
    /// Longest body of a loop that is found, in nodes.
    static constexpr std::size_t longest_body = 256;

private:
    void push(event const& e, sample const& s);
    void fold();
    bool extend_loop(std::size_t length);
    bool make_loop(std::size_t length);
    bool is_repeated(std::vector<node> const& before, std::size_t at, std::size_t length) const;
    void remove_last(std::size_t length);
    void end_pass();
    void set_loop(std::size_t at);

    std::size_t limit_;
    std::size_t bytes_ = 0;
    std::uint64_t dropped_ = 0;
    std::vector<node> nodes_;
    std::vector<std::uint64_t> hashes_, ends_; // of each node; of the last node of each loop, 0 for an event
    bool in_loop_ = false;                     // the last node is a loop of events, and `pass_` its pass so far
    std::vector<sample> pass_;
    std::vector<pass_times> pass_times_; // memory that is used again
};

/// Hash of an event: equal events have equal hashes.
std::uint64_t hash_of(event const& e);

} // namespace tools::replay
