// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/refused.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <utility>

namespace sonde {

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
    sonde::traffic traffic() const {
        if constexpr (requires { link_.sends(); })
            if (!link_.sends()) return {};
        return {out_.size(), 1};
    }

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
