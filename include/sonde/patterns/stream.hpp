// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

/// initiator: W sends under way together, wait, receive a token.   responder: W receives, wait, send the token.
///
/// The token of the second link (a byte, say) tells the initiator that all of the window has arrived.
/// The messages of a window are received into regions of their own, as MPI requires: `in` has at least W of them
/// (`allocation::apart`), unless `overlapping_receives` is the last argument. Throws std::invalid_argument for fewer,
/// and for a window of 0.
template <class L, Buffer Out, Buffer In, class A, Buffer TokenOut, Buffer TokenIn>
    requires AsyncLink<L, region_of<Out>, region_of<In>> && Link<A, region_of<TokenOut>, region_of<TokenIn>>
class stream {
public:
    template <Buffer From, Buffer To, Buffer Token>
    stream(L link, role who, std::size_t window, From out, To in, A back, Token token, receives where = receives::apart)
        : link_{std::move(link)}, who_{who}, window_{window}, back_{std::move(back)},
          out_{sonde::outgoing(link_, std::move(out))},
          in_{sonde::incoming(link_, detail::with_regions(link_, window, std::move(in), where))},
          token_out_{sonde::outgoing(back_, token)}, token_in_{sonde::incoming(back_, token)} {
        if (window == 0) throw std::invalid_argument{"sonde::stream: a window needs at least one message"};
        sonde::expect(link_, window);
    }

    void operator()() {
        if (who_ == role::initiator) {
            for (std::size_t i = 0; i != window_; ++i) link_.isend(out_.next());
            link_.wait_all();
            back_.recv(token_in_.next());
        } else if (who_ == role::responder) {
            for (std::size_t i = 0; i != window_; ++i) link_.irecv(in_.next());
            link_.wait_all();
            back_.send(token_out_.next());
        }
    }
    void complete() {
        if constexpr (requires(L& l) { l.complete(); }) link_.complete();
        if constexpr (requires(A& l) { l.complete(); }) back_.complete();
    }
    role plays() const { return who_; }
    traffic moves() const { return {window_ * out_.size(), window_, 1}; }

private:
    L link_;
    role who_;
    std::size_t window_;
    A back_;
    Out out_;
    In in_;
    TokenOut token_out_;
    TokenIn token_in_;
};
template <class L, Buffer From, Buffer To, class A, Buffer Token>
stream(L, role, std::size_t, From, To, A, Token)
    -> stream<L, outgoing_t<L, From>, incoming_t<L, To>, A, outgoing_t<A, Token>, incoming_t<A, Token>>;
template <class L, Buffer From, Buffer To, class A, Buffer Token>
stream(L, role, std::size_t, From, To, A, Token, receives)
    -> stream<L, outgoing_t<L, From>, incoming_t<L, To>, A, outgoing_t<A, Token>, incoming_t<A, Token>>;

} // namespace sonde
