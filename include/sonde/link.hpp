// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

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

namespace detail::link_hook {
SONDE_HOOKS(SONDE_LINK_HOOKS);
SONDE_FORWARDED(SONDE_LINK_HOOKS);
} // namespace detail::link_hook

/// Prepare a buffer for sending or receiving over the link, once, before timing begins. A link with
/// `l.send_buffer(buffer)` and `l.recv_buffer(buffer)` checks counts and datatypes or makes persistent requests. For
/// other links the buffer is returned unchanged.
template <class L, Buffer B>
auto send_buffer(L& link, B buffer) {
    if constexpr (detail::link_hook::calls_send_buffer<L, B>()) return link.send_buffer(std::move(buffer));
    else return buffer;
}

/// The same for receiving.
template <class L, Buffer B>
auto recv_buffer(L& link, B buffer) {
    if constexpr (detail::link_hook::calls_recv_buffer<L, B>()) return link.recv_buffer(std::move(buffer));
    else return buffer;
}

template <class L, class B>
using send_buffer_t = decltype(sonde::send_buffer(std::declval<L&>(), std::declval<B>()));
template <class L, class B>
using recv_buffer_t = decltype(sonde::recv_buffer(std::declval<L&>(), std::declval<B>()));

/// Allocate requests for n pending messages each way before timing begins.
void reserve(auto& link, std::size_t n) { detail::link_hook::reserve(link, n); }

/// Message of a `link_adaptor`, which is sent or received once: the buffer of its bytes, and the message of the inner
/// link.
template <class B, class Message>
struct adapted_message {
    B& bytes;      // of which a send takes a region, and a receive a region for each peer
    Message inner; // message of the inner link
};

/// Buffer that a `link_adaptor` prepares, from a buffer of bytes and a buffer of the inner link.
template <Buffer B, Buffer Inner>
class adapted_buffer {
public:
    adapted_buffer(B bytes, Inner inner) : bytes_{std::move(bytes)}, inner_{std::move(inner)} {}
    adapted_message<B, region_of<Inner>> next() { return {bytes_, inner_.next()}; }
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
class link_adaptor : public detail::link_hook::forwarded<link_adaptor<Derived, L, Bytes>, L> {
public:
    void send(auto const& m)
        requires requires(L& l) { l.send(m.inner); }
    {
        self().before_send(m.bytes.next());
        link_.send(m.inner);
    }
    void recv(auto const& m)
        requires requires(L& l) { l.recv(m.inner); }
    {
        link_.recv(m.inner);
        for_each_received(m, [this](auto const& bytes) { self().after_receive(bytes); });
    }
    /// Send a message and receive another one, by one call of the link.
    void sendrecv(auto const& out, auto const& in)
        requires requires(L& l) { l.sendrecv(out.inner, in.inner); }
    {
        self().before_send(out.bytes.next());
        link_.sendrecv(out.inner, in.inner);
        self().after_receive(in.bytes.next());
    }
    void isend(auto const& m)
        requires requires(L& l) { l.isend(m.inner); }
    {
        self().before_send(m.bytes.next());
        link_.isend(m.inner);
    }
    void irecv(auto const& m)
        requires requires(L& l) { l.irecv(m.inner); }
    {
        link_.irecv(m.inner);
        for_each_received(m, [this](auto const& bytes) { received_.push_back(bytes); });
    }
    void wait_all()
        requires requires(L& l) { l.wait_all(); }
    {
        link_.wait_all();
        for (auto const& bytes : received_) self().after_receive(bytes);
        received_.clear();
    }
    void reserve(std::size_t n) {
        received_.reserve(n * detail::link_hook::peers(link_));
        sonde::reserve(link_, n);
    }
    L& inner() { return link_; }
    L const& inner() const { return link_; }

protected:
    explicit link_adaptor(L link) : link_{std::move(link)} {}

    L link_;

private:
    Derived& self() { return static_cast<Derived&>(*this); }
    void for_each_received(auto const& m, auto f) {
        for (auto n = detail::link_hook::peers(link_); n != 0; --n) f(m.bytes.next());
    }

    std::vector<Bytes> received_; // by messages in flight
};

/// Placement of messages in flight at their receiver. MPI forbids pending receives into overlapping memory (MPI 4.0,
/// 3.7.2). `overlapping` is for programs that reproduce a benchmark with such receives, such as OMB's bandwidth tests.
enum class receive_regions : unsigned char { distinct, overlapping };
/// Short for `receive_regions::overlapping`.
inline constexpr auto overlapping_receives = receive_regions::overlapping;

namespace detail {

/// Returns the buffer. Throws std::invalid_argument if it has fewer regions than there are messages in flight. Ranks
/// that receive nothing throw as well, so that all ranks that run the same code throw.
template <class L, Buffer B>
B require_regions(L const& link, std::size_t depth, B buffer, receive_regions placement) {
    auto const needed = depth * detail::link_hook::peers(link);
    auto const available = sonde::regions(buffer);
    if (placement == receive_regions::distinct && available < needed && buffer.size() != 0 && needed > 1)
        throw std::invalid_argument{"sonde: " + std::to_string(needed) +
                                    " messages are received together, and the buffer has " + std::to_string(available) +
                                    (available == 1 ? " region" : " regions") +
                                    " for them; allocation::distinct_regions makes one for each"};
    return buffer;
}

} // namespace detail

/// Device bytes of a message and the host bytes in which it is staged.
struct staged_bytes {
    opaque_region device; // bytes of the message
    region host;          // where they are staged; empty for none
};
/// Buffer of device memory with a host region for each message.
template <Buffer Device>
class staged_buffer {
public:
    staged_buffer(Device device, rotating host) : device_{std::move(device)}, host_{host} {}
    staged_bytes next() { return {device_.next(), host_.next()}; }
    std::size_t size() const { return host_.size(); }
    std::size_t regions() const { return host_.regions(); }

private:
    Device device_;
    rotating host_;
};

namespace detail {

/// Host memory of a staged link. It is a base class, so that it outlives the inner link, whose requests may use it
/// until they are freed.
template <class Host>
struct staging_memory {
    Host host_;
    std::vector<allocation<Host>> allocations_{};
};

} // namespace detail

/// Link that stages messages of device memory in host memory, as an application does if its communication library is
/// not device-aware: `staged_link{mpi::link{world, peer}, cuda::device_memory{}, cuda::pinned_memory{}}`.
///
/// `send` copies to the host and then sends; `recv` receives and then copies to the device. `isend` copies and then
/// starts the inner send; `wait_all` completes all inner messages and then copies the received ones, in the order of
/// `irecv`. The copies are made by the device memory (`read`, `write`), inside the sample.
///
/// Each region of a buffer has its own host region. Each of `depth` messages in flight also has its own host region,
/// because a copy must not change a message that is being sent. Not for a link that receives several messages in one
/// call (`peers()`).
template <class L, Memory Device, Memory Host = host_memory>
    requires(!Device::host_accessible && Host::host_accessible && !detail::link_hook::has_peers<L>)
class staged_link : detail::staging_memory<Host>, public link_adaptor<staged_link<L, Device, Host>, L, staged_bytes> {
    using adaptor = link_adaptor<staged_link, L, staged_bytes>;

public:
    /// `depth`: number of messages in flight. Throws std::invalid_argument for a depth of 0.
    staged_link(L link, Device device, Host host = {}, std::size_t depth = 1)
        : detail::staging_memory<Host>{std::move(host)}, adaptor{std::move(link)}, device_{std::move(device)},
          depth_{depth} {
        if (depth == 0) throw std::invalid_argument{"sonde::staged_link: needs at least one message in flight"};
    }

    /// Throws what the inner link throws, and std::invalid_argument if the inner link was made for more messages in
    /// flight.
    auto send_buffer(Buffer auto buffer) {
        auto const staging = staging_buffer(buffer);
        if (send_regions_ == 0 || staging.regions() < send_regions_) send_regions_ = staging.regions();
        return combine(std::move(buffer), staging, sonde::send_buffer(this->link_, staging));
    }
    auto recv_buffer(Buffer auto buffer) {
        auto const staging = staging_buffer(buffer);
        return combine(std::move(buffer), staging, sonde::recv_buffer(this->link_, staging));
    }
    void before_send(staged_bytes const& bytes) {
        if (!bytes.host.empty()) device_.read(bytes.host, bytes.device);
    }
    void after_receive(staged_bytes const& bytes) {
        if (bytes.host.empty()) return;
        if constexpr (requires { device_.write(bytes.device, bytes.host, this->host_); })
            device_.write(bytes.device, bytes.host, this->host_);
        else device_.write(bytes.device, bytes.host);
    }

    /// Throws std::invalid_argument if n exceeds the host regions of a send buffer.
    void reserve(std::size_t n) {
        if (n > send_regions_ && send_regions_ != 0)
            throw std::invalid_argument{"sonde::staged_link: made for fewer messages in flight"};
        adaptor::reserve(n);
    }

private:
    /// At least `depth_` host regions, a multiple of the number of the buffer's regions.
    rotating staging_buffer(Buffer auto const& buffer) {
        auto const device_regions = sonde::regions(buffer), rounds = (depth_ + device_regions - 1) / device_regions;
        auto const stride = allocation<Host>::stride_of(buffer.size()), n = device_regions * rounds;
        return this->allocations_.emplace_back(stride * n, this->host_).distinct_regions(buffer.size(), n);
    }
    template <Buffer B, Buffer Inner>
    static adapted_buffer<staged_buffer<B>, Inner> combine(B buffer, rotating staging, Inner inner) {
        static_assert(!std::is_reference_v<region_of<Inner>>, "one host region is one message of the inner link");
        if (staging.regions() % sonde::regions(inner) != 0)
            throw std::invalid_argument{"sonde::staged_link: the inner link was made for more messages in flight"};
        return {{std::move(buffer), staging}, std::move(inner)};
    }

    Device device_;
    std::size_t depth_;
    std::size_t send_regions_ = 0; // fewest host regions of a send buffer; 0: no send buffer yet
};

/// Link that touches the bytes of each message inside the sample, as an application that computes with them does:
/// before the send and after the receive, or after `wait_all`, in the order of `irecv`.
///
///     touch(bytes)    bytes: an opaque region
template <class L, std::invocable<opaque_region> Touch>
class touched_link : public link_adaptor<touched_link<L, Touch>, L, opaque_region> {
public:
    touched_link(L link, Touch touch) : touched_link::link_adaptor{std::move(link)}, touch_{std::move(touch)} {}

    auto send_buffer(Buffer auto buffer) { return adapted_buffer{buffer, sonde::send_buffer(this->link_, buffer)}; }
    auto recv_buffer(Buffer auto buffer) { return adapted_buffer{buffer, sonde::recv_buffer(this->link_, buffer)}; }
    void before_send(opaque_region bytes) { touch_(bytes); }
    void after_receive(opaque_region bytes) { touch_(bytes); }

private:
    Touch touch_;
};

} // namespace sonde

#include <sonde/detail/hooks.inc>
