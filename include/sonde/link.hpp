// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
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
///     l.peers()        optional: number of messages that one irecv receives, one from each peer; 1 by default
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

/// Where the messages of a window are received. MPI forbids receives that are under way together to write into the same
/// memory (MPI 4.0, 3.7.2), whether anybody reads the contents or not. `overlapping` does it nevertheless, for programs
/// that reproduce a benchmark which does, such as OMB's bandwidth tests.
enum class receives : unsigned char { apart, overlapping };
inline constexpr auto overlapping_receives = receives::overlapping;

namespace detail {

/// Messages that one `irecv` of a link receives: one from each peer of a link to several.
template <class L>
std::size_t messages_of_receive(L const& link) {
    if constexpr (requires { link.peers(); }) return link.peers();
    else return 1;
}

/// The buffer, if it has a region for each message of a window. Throws std::invalid_argument if it has fewer: also on
/// ranks that receive nothing, so that ranks which run the same code throw together.
template <class L, Buffer B>
B with_regions(L const& link, std::size_t window, B buffer, receives where) {
    auto const needed = window * detail::messages_of_receive(link), there = sonde::regions(buffer);
    if (where == receives::apart && there < needed && buffer.size() != 0 && needed > 1)
        throw std::invalid_argument{"sonde: " + std::to_string(needed) +
                                    " messages are received together, and the buffer has " + std::to_string(there) +
                                    (there == 1 ? " region" : " regions") +
                                    " for them; allocation::apart makes one for each"};
    return buffer;
}

} // namespace detail

} // namespace sonde
