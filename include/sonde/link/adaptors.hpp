// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde {

/// Device bytes of a message and the host bytes in which it is staged.
struct staged_bytes {
    opaque_region device;
    region host;
};
template <class Message>
using staged_message = adapted_message<staged_bytes, Message>;

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
/// because a copy must not change a message that is being sent.
template <class L, Memory Device, Memory Host = host_memory>
    requires(!Device::host_accessible && Host::host_accessible)
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
