// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/timeline.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Pattern whose samples are recorded in a track, which must outlive it: `recorded{track, "ping-pong", pattern}`.
///
/// A sample is recorded after its end, with the readings of the plan's clock by which it was timed, so the sample
/// itself takes no longer. Warm-up is not recorded. The plan's clock must have the same domain as the clock with which
/// the timeline is written.
template <Pattern P>
class recorded : public pattern_adaptor<recorded<P>, P> {
public:
    recorded(timeline_track& track, std::string_view name, P&& pattern)
        : recorded::pattern_adaptor{std::forward<P>(pattern)}, track_{&track},
          type_{track.type_index({event_kind::sample, std::string{name}})} {}

    void after_sample(auto const& begin, auto const& end) {
        track_->add(type_, sonde::since_epoch(begin), sonde::since_epoch(end), samples_++);
        sonde::after_sample(this->pattern_, begin, end);
    }

private:
    timeline_track* track_;
    std::uint32_t type_;
    std::uint64_t samples_ = 0;
};
template <class P>
recorded(timeline_track&, std::string_view, P&&) -> recorded<P>;

/// Records the messages of this rank to and from one peer with one tag in a track, which must outlive it. The file
/// connects each send with its receive, if the peer also records its messages. The peer is a rank of the group that
/// writes the timeline; messages with a negative peer (MPI_PROC_NULL) are not connected. For one thread at a time.
template <Clock C = steady_clock>
class recorded_messages {
public:
    recorded_messages(timeline_track& track, int peer, int tag = 0, C clock = {})
        : track_{&track}, numbers_{&track.owner().numbers_of(peer, tag)}, clock_{std::move(clock)},
          departure_{type_of(event_kind::departure, "")}, arrival_{type_of(event_kind::arrival, "")} {}

    /// Index of a type of slices: `send("isend")`, `receive("recv")`. Called before loops.
    std::uint32_t type_of(event_kind kind, std::string_view name) {
        return track_->type_index({kind, std::string{name}, 0, numbers_->peer(), numbers_->tag()});
    }
    /// Call `call()`, which sends one message, and record it as a slice of the given type.
    void send(std::uint32_t type, auto call) {
        auto const number = numbers_->next_sent();
        record(type, number, call);
    }
    /// Call `call()`, which receives one message, and record it as a slice of the given type.
    void receive(std::uint32_t type, auto call) {
        auto const number = numbers_->next_received();
        record(type, number, call);
    }

    /// Record that one message is sent now, within a scope that is entered. Call it before the call that sends the
    /// message.
    void sent() {
        auto const now = sonde::reading(clock_);
        departed(now, now);
    }
    /// Record that one message has been received, within a scope that is entered. Call it after the call that received
    /// the message.
    void received() {
        auto const now = sonde::reading(clock_);
        arrived(now, now, numbers_->next_received());
    }
    /// Record a message that was sent or received within a slice from `begin` to `end`, which are readings of the
    /// clock. A receive gets its number from `post()` when it is posted.
    void departed(seconds begin, seconds end) { track_->add(departure_, begin, end, numbers_->next_sent()); }
    /// The number of a receive that is posted.
    std::uint64_t post() { return numbers_->next_received(); }
    /// Record a message that was received.
    void arrived(seconds begin, seconds end, std::uint64_t number) { track_->add(arrival_, begin, end, number); }

private:
    void record(std::uint32_t type, std::uint64_t number, auto& call) {
        auto const begin = sonde::reading(clock_);
        call();
        track_->add(type, begin, sonde::reading(clock_), number);
    }

    timeline_track* track_;
    message_numbers* numbers_;
    C clock_;
    std::uint32_t departure_;
    std::uint32_t arrival_;
};

/// Ranks of the peers to which a link sends and from which it receives. A single number stands for both.
struct message_peers {
    int to;   // rank
    int from; // rank
    constexpr message_peers(int both) : to{both}, from{both} {}
    constexpr message_peers(int send_to, int receive_from) : to{send_to}, from{receive_from} {}
};

/// Link whose messages are recorded in a track, which must outlive it: `recorded_link{track, mpi::link{ranks, 1}, 1}`.
/// The clock is read twice for each call, inside the sample of a pattern over this link. A receive that `wait_all`
/// completes ends with it. Not for a link that receives several messages in one call (`peers()`).
template <class L, Clock C = steady_clock>
    requires(!detail::link_hook::has_peers<L>)
class recorded_link : public detail::link_hook::forwarded<recorded_link<L, C>, L> {
public:
    recorded_link(timeline_track& track, L link, message_peers peers, int tag = 0, C clock = {})
        : link_{std::move(link)}, track_{&track}, clock_{clock}, to_{track, peers.to, tag, clock},
          from_{track, peers.from, tag, clock}, send_{to_.type_of(event_kind::send, "send")},
          isend_{to_.type_of(event_kind::send, "isend")}, recv_{from_.type_of(event_kind::receive, "recv")},
          wait_{track.type_index({event_kind::scope, "wait_all"})},
          sendrecv_{track.type_index({event_kind::scope, "sendrecv"})} {}

    template <class M>
    void send(M&& message)
        requires requires(L& l) { l.send(message); }
    {
        to_.send(send_, [&] { link_.send(message); });
    }
    template <class M>
    void recv(M&& message)
        requires requires(L& l) { l.recv(message); }
    {
        from_.receive(recv_, [&] { link_.recv(message); });
    }
    template <class M>
    void isend(M&& message)
        requires requires(L& l) { l.isend(message); }
    {
        to_.send(isend_, [&] { link_.isend(message); });
    }
    template <class M>
    void irecv(M&& message)
        requires requires(L& l) { l.irecv(message); }
    {
        link_.irecv(message);
        posted_.push_back(from_.post());
    }
    void wait_all()
        requires requires(L& l) { l.wait_all(); }
    {
        auto const begin = sonde::reading(clock_);
        link_.wait_all();
        auto const end = sonde::reading(clock_);
        track_->add(wait_, begin, end);
        for (auto const number : posted_) from_.arrived(begin, end, number);
        posted_.clear();
    }
    /// Sends and receives at once, and records both messages.
    template <class Out, class In>
    void sendrecv(Out&& out, In&& in)
        requires requires(L& l) { l.sendrecv(out, in); }
    {
        auto const number = from_.post();
        auto const begin = sonde::reading(clock_);
        link_.sendrecv(out, in);
        auto const end = sonde::reading(clock_);
        track_->add(sendrecv_, begin, end);
        to_.departed(begin, end);
        from_.arrived(begin, end, number);
    }
    void reserve(std::size_t n) {
        posted_.reserve(n);
        sonde::reserve(link_, n);
    }
    L& inner() { return link_; }
    L const& inner() const { return link_; }

private:
    L link_;
    timeline_track* track_;
    C clock_;
    recorded_messages<C> to_, from_;
    std::uint32_t send_, isend_, recv_, wait_, sendrecv_;
    std::vector<std::uint64_t> posted_; // numbers of the receives in flight
};

} // namespace sonde
