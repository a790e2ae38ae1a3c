// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/timeline/track.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string_view>

namespace sonde {

struct timeline_options {
    std::size_t events = 65'536; // kept in each track, of 32 bytes each; rounded up to a power of two
};

/// Numbers of the messages of this rank to and from one peer with one tag, counted over all threads. The n-th message
/// that is sent matches the n-th message that the peer receives. MPI keeps the order of the messages of one thread, but
/// not of the messages of several threads with the same peer and tag.
class message_numbers {
public:
    message_numbers(int peer, int tag) : peer_{peer}, tag_{tag} {}
    int peer() const { return peer_; }
    int tag() const { return tag_; }
    std::uint64_t next_sent() { return sent_.fetch_add(1, std::memory_order_relaxed); }
    std::uint64_t next_received() { return received_.fetch_add(1, std::memory_order_relaxed); }

private:
    int peer_;
    int tag_;
    std::atomic<std::uint64_t> sent_{0};
    std::atomic<std::uint64_t> received_{0};
};

/// The latest events of a rank: passes of scopes, samples of runs, messages. Each thread adds its events to a track of
/// its own; `write_timeline` writes the events of all ranks into one file.
///
///     sonde::timeline timeline;
///     probe.record_in(timeline.add_track("main"));
///
/// The memory of a track is constant. `add_track` and `numbers_of` may be called by several threads at once. References
/// are valid for the lifetime of the timeline.
class timeline {
public:
    explicit timeline(timeline_options options = {}) : options_{options} {}
    timeline(timeline const&) = delete;
    timeline& operator=(timeline const&) = delete;

    /// Make a track for one thread. Throws std::invalid_argument if the options keep no event.
    timeline_track& add_track(std::string_view name) & {
        std::lock_guard const lock{mutex_};
        return tracks_.emplace_back(*this, name, options_.events);
    }
    /// Numbers of the messages with a peer and a tag.
    message_numbers& numbers_of(int peer, int tag = 0) & {
        std::lock_guard const lock{mutex_};
        for (auto& n : numbers_)
            if (n.peer() == peer && n.tag() == tag) return n;
        return numbers_.emplace_back(peer, tag);
    }
    /// Must not be called while a thread adds a track.
    std::list<timeline_track> const& tracks() const& { return tracks_; }
    void tracks() const&& = delete; // the reference would dangle

private:
    timeline_options options_;
    std::mutex mutex_;
    std::list<timeline_track> tracks_;
    std::list<message_numbers> numbers_;
};

} // namespace sonde
