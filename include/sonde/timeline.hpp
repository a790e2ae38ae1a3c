// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1 {

class timeline;

/// Kinds of events. A scope, a sample, a send and a receive are slices, from a begin to an end; a departure and an
/// arrival are messages that are sent or received within another slice of the track.
enum class event_kind : unsigned char { scope, sample, send, receive, departure, arrival };

/// What the events of one origin have in common: a scope, a measured pattern, or the messages to or from a peer.
struct event_type {
    event_kind kind = event_kind::scope; // what its events are
    std::string name{};                  // of the events
    std::size_t bytes = 0;               // of a scope, moved in one pass; 0 if unknown
    int peer = -1;                       // of messages: rank; negative if there is none
    int tag = 0;                         // of messages

    bool operator==(event_type const&) const = default;
    /// True if its events have a duration.
    bool is_slice() const { return kind != event_kind::departure && kind != event_kind::arrival; }
};

/// An event of a track. Times are readings of the rank's clock (`since_epoch`).
struct timeline_event {
    seconds begin{};          // reading of the clock
    seconds end{};            // reading of the clock
    std::uint64_t number = 0; // of a sample, or of a message among all messages to or from its peer with its tag
    std::uint32_t type = 0;   // index in `timeline_track::types()`
};

/// The events of one thread in a ring of constant memory: a new event replaces the oldest one of a full ring. Made by
/// `timeline::add_track`. For one thread at a time.
class timeline_track {
public:
    /// The capacity is rounded up to a power of two. Throws std::invalid_argument for 0.
    timeline_track(timeline& owner, std::string_view name, std::size_t capacity);
    timeline_track(timeline_track const&) = delete;
    timeline_track& operator=(timeline_track const&) = delete;

    /// Index of a type, which is added if it is new. Not for loops, because it compares with all types of the track.
    std::uint32_t type_index(event_type const& type);
    /// Add an event, without an allocation.
    void add(std::uint32_t type, seconds begin, seconds end, std::uint64_t number = 0) {
        ring_[added_++ & mask_] = {begin, end, number, type};
    }

    std::string const& name() const { return name_; }
    /// The types of the events, by index.
    std::vector<event_type> const& types() const { return types_; }
    /// Number of events that are kept.
    std::size_t size() const { return added_ < ring_.size() ? added_ : ring_.size(); }
    /// Number of events that later ones replaced.
    std::size_t dropped() const { return added_ - size(); }
    /// The events that are kept, in the order in which they were added, which is the order of their ends.
    std::vector<timeline_event> events() const;
    /// The timeline of the track.
    timeline& owner() const { return *owner_; }

private:
    std::vector<timeline_event> ring_;
    std::size_t mask_ = 0;
    std::size_t added_ = 0;
    timeline* owner_;
    std::string name_;
    std::vector<event_type> types_;
};

/// Options of a timeline.
struct timeline_options {
    std::size_t events = 65'536; // kept in each track, of 32 bytes each; rounded up to a power of two
};

/// Numbers of the messages of this rank to and from one peer with one tag, counted over all threads. The n-th message
/// that is sent matches the n-th message that the peer receives. MPI keeps the order of the messages of one thread, but
/// not of the messages of several threads with the same peer and tag.
class message_numbers {
public:
    message_numbers(int peer, int tag) : peer_{peer}, tag_{tag} {}
    /// Rank of the peer.
    int peer() const { return peer_; }
    /// Tag of the messages.
    int tag() const { return tag_; }
    /// Number of the next message to the peer.
    std::uint64_t next_sent() { return sent_.fetch_add(1, std::memory_order_relaxed); }
    /// Number of the next message from the peer.
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

    /// Make a track for one thread. Throws std::invalid_argument if the options keep no event, or more than there can
    /// be.
    timeline_track& add_track(std::string_view name) &;
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

#if SONDE_DEFINITIONS
#include <bit>
#include <stdexcept>

namespace sonde::inline v0_1 {

SONDE_INLINE timeline_track::timeline_track(timeline& owner, std::string_view name, std::size_t capacity)
    : owner_{&owner}, name_{name} {
    if (capacity == 0) throw std::invalid_argument{"sonde::timeline: a track keeps at least one event"};
    if (capacity > ring_.max_size() / 2) // std::bit_ceil rounds it up
        throw std::invalid_argument{"sonde::timeline: no track keeps " + std::to_string(capacity) + " events"};
    ring_.resize(std::bit_ceil(capacity));
    mask_ = ring_.size() - 1;
}

SONDE_INLINE std::uint32_t timeline_track::type_index(event_type const& type) {
    std::size_t i = 0;
    while (i != types_.size() && !(types_[i] == type)) ++i;
    if (i == types_.size()) types_.push_back(type);
    return static_cast<std::uint32_t>(i);
}

SONDE_INLINE std::vector<timeline_event> timeline_track::events() const {
    std::vector<timeline_event> kept;
    kept.reserve(size());
    for (auto i = dropped(); i != added_; ++i) kept.push_back(ring_[i & mask_]);
    return kept;
}

SONDE_INLINE timeline_track& timeline::add_track(std::string_view name) & {
    std::lock_guard const lock{mutex_};
    return tracks_.emplace_back(*this, name, options_.events);
}

} // namespace sonde

#endif
