// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>

#include <cstddef>
#include <utility>

namespace sonde {

/// A way to one peer. Calls return when the region may be used again.
///
///     l.send(r)    r: what a buffer prepared for this link gives
///     l.recv(r)
template <class L, class Out = region, class In = Out>
concept Link = requires(L& l, Out out, In in) {
    l.send(out);
    l.recv(in);
};

/// A way to one peer on which many messages may be under way.
///
///     l.isend(r)       begins now or, at the latest, in wait_all
///     l.irecv(r)
///     l.wait_all()     all that was begun is complete
///     l.expect(n)      optional: up to n each way at a time; allocates what that needs, throws where it cannot be
template <class L, class Out = region, class In = Out>
concept AsyncLink = requires(L& l, Out out, In in) {
    l.isend(out);
    l.irecv(in);
    l.wait_all();
};

/// The buffer a link sends from, or receives into: translated once, before the clock, where the link has
/// `l.outgoing(buffer)`, `l.incoming(buffer)` (counts and datatypes checked, persistent requests made); else as it is.
template <class L, Buffer B>
auto outgoing(L& link, B buffer) {
    if constexpr (requires { link.outgoing(std::move(buffer)); }) return link.outgoing(std::move(buffer));
    else return buffer;
}

template <class L, Buffer B>
auto incoming(L& link, B buffer) {
    if constexpr (requires { link.incoming(std::move(buffer)); }) return link.incoming(std::move(buffer));
    else return buffer;
}

template <class L, class B>
using outgoing_t = decltype(sonde::outgoing(std::declval<L&>(), std::declval<B>()));
template <class L, class B>
using incoming_t = decltype(sonde::incoming(std::declval<L&>(), std::declval<B>()));

template <class L>
void expect(L& link, std::size_t n) {
    if constexpr (requires { link.expect(n); }) link.expect(n);
}

} // namespace sonde
