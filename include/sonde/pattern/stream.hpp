// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/refused.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

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
    sonde::traffic traffic() const { return {depth_ * out_.size(), depth_, 1}; }

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

} // namespace sonde
