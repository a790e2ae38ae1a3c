// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1 {

namespace detail {

/// The role of a rank in a pair, if its link says that it has a peer (`sends()`).
requirements requirements_in_pair(auto const& link, role mine) {
    if constexpr (link_hook::has_sends<decltype(link)>)
        if (link_hook::sends(link)) return {.in_pair = mine};
    return {};
}

/// `moved`, the traffic of an iteration, without bytes and messages if the link has no peer.
traffic traffic_to_peer(auto const& link, traffic moved) {
    if (!link_hook::sends(link)) moved.bytes = moved.messages = 0;
    return moved;
}

} // namespace detail

/// Ping-pong. initiator: send, recv.   responder: recv, send.
///
/// An iteration is a round trip of two hops, and both messages are counted: `latency` of its record is the one-way
/// time, and `bandwidth` is the one-way bandwidth (as in IMB, of half a round trip).
template <class L, Buffer Out, Buffer In>
    requires Link<L, region_of<Out>, region_of<In>>
class ping_pong {
public:
    template <Buffer From, Buffer To>
    ping_pong(L link, sonde::role my_role, From out, To in)
        : link_{std::move(link)}, role_{my_role}, out_{sonde::send_buffer(link_, std::move(out))},
          in_{sonde::recv_buffer(link_, std::move(in))} {}
    template <class Other, class From, class To>
        requires(!Buffer<From> || !Buffer<To>)
    SONDE_REFUSE_CONSTRUCTOR(SONDE_NO_BUFFER, ping_pong, Other, role, From, To);

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    void in_role(auto f) {
        if (role_ == role::initiator)
            f([this] {
                link_.send(out_.next());
                link_.recv(in_.next());
            });
        else if (role_ == role::responder)
            f([this] {
                link_.recv(in_.next());
                link_.send(out_.next());
            });
    }
    void complete() { sonde::complete(link_); }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return detail::traffic_to_peer(link_, {out_.size() + in_.size(), 2, 2}); }
    sonde::requirements requirements() const { return detail::requirements_in_pair(link_, role_); }

private:
    L link_;
    sonde::role role_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To>
ping_pong(L, role, From, To) -> ping_pong<L, send_buffer_t<L, From>, recv_buffer_t<L, To>>;
template <class L, class From, class To>
    requires(!Buffer<From> || !Buffer<To>)
ping_pong(L, role, From, To) -> ping_pong<detail::refused_link, slice, slice>; // refused by the constructor

/// Unidirectional stream (OMB's osu_bw). initiator: starts `depth` sends, waits, receives an acknowledgement.
/// responder: starts `depth` receives, waits, sends the acknowledgement.
///
/// The acknowledgement, the message `token` (one byte, say) over the link `back`, tells the initiator that all messages
/// have arrived. Messages in flight together are received into distinct regions, as MPI requires: `in` has at least
/// `depth` of them (`allocation::distinct_regions`), unless the last argument is `overlapping_receives`. Throws
/// std::invalid_argument for fewer regions, and for a depth of 0.
template <class L, Buffer Out, Buffer In, class A, Buffer TokenOut, Buffer TokenIn>
    requires AsyncLink<L, region_of<Out>, region_of<In>> && Link<A, region_of<TokenOut>, region_of<TokenIn>>
class stream {
public:
    template <Buffer From, Buffer To, Buffer Token>
    stream(L link, sonde::role my_role, std::size_t depth, From out, To in, A back, Token token,
           receive_regions placement = receive_regions::distinct)
        : link_{std::move(link)}, role_{my_role}, depth_{depth}, back_{std::move(back)},
          out_{sonde::send_buffer(link_, std::move(out))},
          in_{sonde::recv_buffer(link_, detail::require_regions(link_, depth, std::move(in), placement))},
          token_out_{sonde::send_buffer(back_, token)}, token_in_{sonde::recv_buffer(back_, token)} {
        if (depth == 0) throw std::invalid_argument{"sonde::stream: needs at least one message in flight"};
        sonde::reserve(link_, depth);
    }
    template <class Other, class From, class To, class Back, class Token>
        requires(!Buffer<From> || !Buffer<To> || !Buffer<Token>)
    SONDE_REFUSE_CONSTRUCTOR(SONDE_NO_BUFFER, stream, Other, role, std::size_t, From, To, Back, Token,
                             receive_regions = {});

    void operator()() {
        if (role_ == role::initiator) {
            for (std::size_t i = 0; i != depth_; ++i) link_.isend(out_.next());
            link_.wait_all();
            back_.recv(token_in_.next());
        } else if (role_ == role::responder) {
            for (std::size_t i = 0; i != depth_; ++i) link_.irecv(in_.next());
            link_.wait_all();
            back_.send(token_out_.next());
        }
    }
    void complete() {
        sonde::complete(link_);
        sonde::complete(back_);
    }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return detail::traffic_to_peer(link_, {depth_ * out_.size(), depth_, 1}); }
    sonde::requirements requirements() const { return detail::requirements_in_pair(link_, role_); }

private:
    L link_;
    sonde::role role_;
    std::size_t depth_;
    A back_;
    Out out_;
    In in_;
    TokenOut token_out_;
    TokenIn token_in_;
};
template <class L, Buffer From, Buffer To, class A, Buffer Token>
stream(L, role, std::size_t, From, To, A, Token, receive_regions = {})
    -> stream<L, send_buffer_t<L, From>, recv_buffer_t<L, To>, A, send_buffer_t<A, Token>, recv_buffer_t<A, Token>>;
template <class L, class From, class To, class A, class Token>
    requires(!Buffer<From> || !Buffer<To> || !Buffer<Token>)
stream(L, role, std::size_t, From, To, A, Token, receive_regions = {})
    -> stream<detail::refused_link, slice, slice, detail::refused_link, slice, slice>; // refused by the constructor

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
        return detail::traffic_to_peer(link_, {messages * out_.size(), messages, 1});
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

/// Connection that sends one message and receives another in one call, from the same peer or from another one.
///
///     l.sendrecv(out, in)    out, in: regions of buffers that were prepared for this link
///     l.sends()              optional: false if there is no peer to send to; true by default
template <class L, class Out = region, class In = Out>
concept ExchangeLink = requires(L& l, Out out, In in) { l.sendrecv(out, in); };

/// Exchange by one call: every rank sends a message and receives one (IMB's Sendrecv on a ring). All ranks are
/// initiators, and each counts the message that it sends, if it has a peer.
template <class L, Buffer Out, Buffer In>
    requires ExchangeLink<L, region_of<Out>, region_of<In>>
class exchange {
public:
    template <Buffer From, Buffer To>
    exchange(L link, From out, To in)
        : link_{std::move(link)}, out_{sonde::send_buffer(link_, std::move(out))},
          in_{sonde::recv_buffer(link_, std::move(in))} {}
    template <class Other, class From, class To>
        requires(!Buffer<From> || !Buffer<To>)
    SONDE_REFUSE_CONSTRUCTOR(SONDE_NO_BUFFER, exchange, Other, From, To);

    void operator()() { link_.sendrecv(out_.next(), in_.next()); }
    sonde::traffic traffic() const { return detail::traffic_to_peer(link_, {out_.size(), 1}); }

private:
    L link_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To>
exchange(L, From, To) -> exchange<L, send_buffer_t<L, From>, recv_buffer_t<L, To>>;
template <class L, class From, class To>
    requires(!Buffer<From> || !Buffer<To>)
exchange(L, From, To) -> exchange<detail::refused_link, slice, slice>; // refused by the constructor

} // namespace sonde

#include <sonde/detail/refuse.inc>
