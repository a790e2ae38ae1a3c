// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <utility>

namespace sonde {

/// initiator: send, recv.   responder: recv, send.
///
/// An iteration is a round trip of two legs, both messages counted: `latency` of its record is one way, and `bandwidth`
/// what one way reaches (IMB's, of half a round trip).
template <class L, Buffer Out, Buffer In>
    requires Link<L, region_of<Out>, region_of<In>>
class ping_pong {
public:
    template <Buffer From, Buffer To>
    ping_pong(L link, role who, From out, To in)
        : link_{std::move(link)}, who_{who}, out_{sonde::outgoing(link_, std::move(out))},
          in_{sonde::incoming(link_, std::move(in))} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        if (who_ == role::initiator)
            f([this] {
                link_.send(out_.next());
                link_.recv(in_.next());
            });
        else if (who_ == role::responder)
            f([this] {
                link_.recv(in_.next());
                link_.send(out_.next());
            });
    }
    void complete() {
        if constexpr (requires(L& l) { l.complete(); }) link_.complete();
    }
    role plays() const { return who_; }
    traffic moves() const { return {out_.size() + in_.size(), 2, 2}; }

private:
    L link_;
    role who_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To>
ping_pong(L, role, From, To) -> ping_pong<L, outgoing_t<L, From>, incoming_t<L, To>>;

} // namespace sonde
