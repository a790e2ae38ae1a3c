// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/paced.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <utility>

namespace sonde {

/// initiator: send a token, n receives with a wait d between them.   responder: recv the token, n sends.
///
/// Where d is longer than the interval of messages, each but the first has arrived before its receive, so that
/// T(n) - T(1) = (n - 1) (d + o_r): what LogGP's overhead of receiving is found from, with no clock in the timed code.
/// The token goes over the second link. `wait(d)` keeps this rank busy for so long (`busy_wait`); for d = 0 it is not
/// called. Throws std::invalid_argument for no message, or a negative d.
template <class L, Buffer Out, Buffer In, class A, Buffer TokenOut, Buffer TokenIn, class Wait>
    requires Link<L, region_of<Out>, region_of<In>> && Link<A, region_of<TokenOut>, region_of<TokenIn>>
class spaced_receives {
public:
    template <Buffer From, Buffer To, Buffer Token>
    spaced_receives(L link, role who, std::size_t n, From out, To in, A back, Token token, seconds d, Wait wait)
        : link_{std::move(link)}, who_{who}, paced_{n, d, std::move(wait)}, back_{std::move(back)},
          out_{sonde::outgoing(link_, std::move(out))}, in_{sonde::incoming(link_, std::move(in))},
          token_out_{sonde::outgoing(back_, token)}, token_in_{sonde::incoming(back_, token)} {}

    void operator()() {
        if (who_ == role::initiator) {
            back_.send(token_out_.next());
            paced_([this] { link_.recv(in_.next()); });
        } else if (who_ == role::responder) {
            back_.recv(token_in_.next());
            for (std::size_t i = 0; i != paced_.times(); ++i) link_.send(out_.next());
        }
    }
    void complete() {
        if constexpr (requires(L& l) { l.complete(); }) link_.complete();
        if constexpr (requires(A& l) { l.complete(); }) back_.complete();
    }
    role plays() const { return who_; }
    /// Of the messages that the initiator receives; the token is none.
    traffic moves() const {
        auto const n = paced_.times();
        return {n * in_.size(), n, 2};
    }

private:
    L link_;
    role who_;
    detail::paced<Wait> paced_;
    A back_;
    Out out_;
    In in_;
    TokenOut token_out_;
    TokenIn token_in_;
};
template <class L, Buffer From, Buffer To, class A, Buffer Token, class Wait>
spaced_receives(L, role, std::size_t, From, To, A, Token, seconds, Wait)
    -> spaced_receives<L, outgoing_t<L, From>, incoming_t<L, To>, A, outgoing_t<A, Token>, incoming_t<A, Token>, Wait>;

} // namespace sonde
