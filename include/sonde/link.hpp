// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/hook.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// Point-to-point connection to one peer with blocking calls: the region may be reused when they return.
///
///     l.send(r)    r: a region of a buffer that was prepared for this link (`send_buffer`)
///     l.recv(r)    r: a region of a buffer that was prepared for this link (`recv_buffer`)
template <class L, class Out = region, class In = Out>
concept Link = requires(L& l, Out out, In in) {
    l.send(out);
    l.recv(in);
};

/// Point-to-point connection with nonblocking calls, on which several messages may be pending.
///
///     l.isend(r)       starts a send, now or, at the latest, in wait_all
///     l.irecv(r)       starts a receive
///     l.wait_all()     completes all started sends and receives
///     l.reserve(n)     optional, untimed: allocates requests for n pending messages each way, or throws
///     l.peers()        optional: number of messages that one irecv receives, one from each peer; 1 by default
template <class L, class Out = region, class In = Out>
concept AsyncLink = requires(L& l, Out out, In in) {
    l.isend(out);
    l.irecv(in);
    l.wait_all();
};

namespace detail {

/// Link type of a pattern that is refused, named by the deduction guide for wrong arguments.
struct refused_link {
    void send(region);
    void recv(region);
    void isend(region);
    void irecv(region);
    void wait_all();
    void sendrecv(region, region);
};

} // namespace detail

/// Prepare a buffer for sending or receiving over the link, once, before timing begins. A link with
/// `l.send_buffer(buffer)` and `l.recv_buffer(buffer)` checks counts and datatypes or makes persistent requests. For
/// other links the buffer is returned unchanged.
auto send_buffer(auto& link, Buffer auto buffer) {
    if constexpr (requires { link.send_buffer(std::move(buffer)); }) return link.send_buffer(std::move(buffer));
    else return buffer;
}

auto recv_buffer(auto& link, Buffer auto buffer) {
    if constexpr (requires { link.recv_buffer(std::move(buffer)); }) return link.recv_buffer(std::move(buffer));
    else return buffer;
}

template <class L, class B>
using send_buffer_t = decltype(sonde::send_buffer(std::declval<L&>(), std::declval<B>()));
template <class L, class B>
using recv_buffer_t = decltype(sonde::recv_buffer(std::declval<L&>(), std::declval<B>()));

/// Allocate requests for n pending messages each way, or for n transfers of an epoch, before timing begins.
void reserve(auto& link, std::size_t n) {
    if constexpr (requires { link.reserve(n); }) {
        link.reserve(n);
    } else {
        constexpr bool fits = !detail::has_reserve<decltype(link)>;
        static_assert(fits, "the hook reserve(n) of a link or a transfer must be public and take a number of messages");
    }
}

/// Message of a `link_adaptor`: its bytes, and the message of the inner link.
template <class Bytes, class Message>
struct adapted_message {
    Bytes bytes;
    Message inner;
};

/// Buffer that a `link_adaptor` prepares, from a buffer of bytes and a buffer of the inner link.
template <Buffer B, Buffer Inner>
class adapted_buffer {
public:
    adapted_buffer(B bytes, Inner inner) : bytes_{std::move(bytes)}, inner_{std::move(inner)} {}
    adapted_message<region_of<B>, region_of<Inner>> next() { return {bytes_.next(), inner_.next()}; }
    std::size_t size() const { return inner_.size(); }
    std::size_t regions() const { return sonde::regions(bytes_); }

private:
    B bytes_;
    Inner inner_;
};

/// Base class of a link that is built on another link and handles the bytes of each message; it forwards all calls.
///
///     d.before_send(bytes)      public in `Derived`: called before each send
///     d.after_receive(bytes)    public in `Derived`: called after each receive, or after `wait_all` for all received
///                               messages, in the order of `irecv`
///
/// `Derived` has `send_buffer` and `recv_buffer`, which return an `adapted_buffer`.
template <class Derived, class L, class Bytes>
class link_adaptor {
public:
    void send(auto const& m)
        requires requires(L& l) { l.send(m.inner); }
    {
        self().before_send(m.bytes);
        link_.send(m.inner);
    }
    void recv(auto const& m)
        requires requires(L& l) { l.recv(m.inner); }
    {
        link_.recv(m.inner);
        self().after_receive(m.bytes);
    }
    void isend(auto const& m)
        requires requires(L& l) { l.isend(m.inner); }
    {
        self().before_send(m.bytes);
        link_.isend(m.inner);
    }
    void irecv(auto const& m)
        requires requires(L& l) { l.irecv(m.inner); }
    {
        link_.irecv(m.inner);
        received_.push_back(m.bytes);
    }
    void wait_all()
        requires requires(L& l) { l.wait_all(); }
    {
        link_.wait_all();
        for (auto const& bytes : received_) self().after_receive(bytes);
        received_.clear();
    }
    void reserve(std::size_t n) {
        received_.reserve(n);
        sonde::reserve(link_, n);
    }
    void complete() { sonde::complete(link_); }

protected:
    explicit link_adaptor(L link) : link_{std::move(link)} {}

    L link_;

private:
    Derived& self() { return static_cast<Derived&>(*this); }

    std::vector<Bytes> received_; // by messages in flight
};

/// Placement of messages in flight at their receiver. MPI forbids pending receives into overlapping memory (MPI 4.0,
/// 3.7.2). `overlapping` is for programs that reproduce a benchmark with such receives, such as OMB's bandwidth tests.
enum class receive_regions : unsigned char { distinct, overlapping };
inline constexpr auto overlapping_receives = receive_regions::overlapping;

namespace detail {

/// Returns the buffer. Throws std::invalid_argument if it has fewer regions than there are messages in flight. Ranks
/// that receive nothing throw as well, so that all ranks that run the same code throw.
template <class L, Buffer B>
B require_regions([[maybe_unused]] L const& link, std::size_t depth, B buffer, receive_regions placement) {
    auto needed = depth;
    if constexpr (requires { link.peers(); }) {
        needed *= link.peers(); // one message from each peer
    } else {
        constexpr bool fits = !detail::has_peers<L>;
        static_assert(fits, "the hook peers() of a sonde::AsyncLink must be public, const and without arguments");
    }
    auto const available = sonde::regions(buffer);
    if (placement == receive_regions::distinct && available < needed && buffer.size() != 0 && needed > 1)
        throw std::invalid_argument{"sonde: " + std::to_string(needed) +
                                    " messages are received together, and the buffer has " + std::to_string(available) +
                                    (available == 1 ? " region" : " regions") +
                                    " for them; allocation::distinct_regions makes one for each"};
    return buffer;
}

} // namespace detail

} // namespace sonde
