// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/directions.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

/// initiator and responder: W receives and W sends under way together, wait.
///
/// An initiator with a responder answers for both directions; where both sides are initiators (so that both times
/// count), pass `directions::sent`, or bytes are counted twice. As in `stream`, the messages of a window are received
/// into regions of their own, unless `overlapping_receives` is the last argument. Throws std::invalid_argument for
/// fewer regions than messages, and for a window of 0.
template <class L, Buffer Out, Buffer In>
    requires AsyncLink<L, region_of<Out>, region_of<In>>
class bidirectional {
public:
    template <Buffer From, Buffer To>
    bidirectional(L link, role who, std::size_t window, From out, To in, directions counted = directions::both,
                  receives where = receives::apart)
        : link_{std::move(link)}, who_{who}, window_{window}, counted_{counted},
          out_{sonde::outgoing(link_, std::move(out))},
          in_{sonde::incoming(link_, detail::with_regions(link_, window, std::move(in), where))} {
        if (window == 0) throw std::invalid_argument{"sonde::bidirectional: a window needs at least one message"};
        sonde::expect(link_, window);
    }

    void operator()() {
        if (who_ == role::idle) return;
        for (std::size_t i = 0; i != window_; ++i) link_.irecv(in_.next());
        for (std::size_t i = 0; i != window_; ++i) link_.isend(out_.next());
        link_.wait_all();
    }
    void complete() {
        if constexpr (requires(L& l) { l.complete(); }) link_.complete();
    }
    role plays() const { return who_; }
    traffic moves() const {
        auto const messages = window_ * (counted_ == directions::both ? 2 : 1);
        return {messages * out_.size(), messages, 1};
    }

private:
    L link_;
    role who_;
    std::size_t window_;
    directions counted_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To>
bidirectional(L, role, std::size_t, From, To) -> bidirectional<L, outgoing_t<L, From>, incoming_t<L, To>>;
template <class L, Buffer From, Buffer To>
bidirectional(L, role, std::size_t, From, To, directions) -> bidirectional<L, outgoing_t<L, From>, incoming_t<L, To>>;
template <class L, Buffer From, Buffer To>
bidirectional(L, role, std::size_t, From, To, directions, receives)
    -> bidirectional<L, outgoing_t<L, From>, incoming_t<L, To>>;

} // namespace sonde
