// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/refused.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <utility>

namespace sonde {

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
    sonde::traffic traffic() const { return {out_.size() + in_.size(), 2, 2}; }

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

} // namespace sonde
