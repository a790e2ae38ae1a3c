// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/refused.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

/// Bidirectional stream (OMB's osu_bibw). initiator and responder: start `depth` receives and `depth` sends, wait.
///
/// An initiator whose peer is a responder counts both directions. If both ranks are initiators, pass
/// `directions::sent`, or bytes are counted twice. Receive regions and exceptions are as for `stream`.
template <class L, Buffer Out, Buffer In>
    requires AsyncLink<L, region_of<Out>, region_of<In>>
class bidirectional {
public:
    template <Buffer From, Buffer To>
    bidirectional(L link, sonde::role my_role, std::size_t depth, From out, To in,
                  directions counted = directions::both, receive_regions placement = receive_regions::distinct)
        : link_{std::move(link)}, role_{my_role}, depth_{depth}, counted_{counted},
          out_{sonde::send_buffer(link_, std::move(out))},
          in_{sonde::recv_buffer(link_, detail::require_regions(link_, depth, std::move(in), placement))} {
        if (depth == 0) throw std::invalid_argument{"sonde::bidirectional: needs at least one message in flight"};
        sonde::reserve(link_, depth);
    }
    template <class Other, class From, class To>
        requires(!Buffer<From> || !Buffer<To>)
    SONDE_REFUSE_CONSTRUCTOR(SONDE_NO_BUFFER, bidirectional, Other, role, std::size_t, From, To, directions = {},
                             receive_regions = {});

    void operator()() {
        if (role_ == role::idle) return;
        for (std::size_t i = 0; i != depth_; ++i) link_.irecv(in_.next());
        for (std::size_t i = 0; i != depth_; ++i) link_.isend(out_.next());
        link_.wait_all();
    }
    void complete() { sonde::complete(link_); }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const {
        auto const messages = depth_ * (counted_ == directions::both ? 2 : 1);
        return {messages * out_.size(), messages, 1};
    }

private:
    L link_;
    sonde::role role_;
    std::size_t depth_;
    directions counted_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To>
bidirectional(L, role, std::size_t, From, To, directions = {}, receive_regions = {})
    -> bidirectional<L, send_buffer_t<L, From>, recv_buffer_t<L, To>>;
template <class L, class From, class To>
    requires(!Buffer<From> || !Buffer<To>)
bidirectional(L, role, std::size_t, From, To, directions = {}, receive_regions = {})
    -> bidirectional<detail::refused_link, slice, slice>; // refused by the constructor

} // namespace sonde
