// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>
#include <sonde/staged_buffer.hpp>

#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde {

/// A link that moves messages of device memory through host memory, as an application does whose communication library
/// takes no addresses of a device: `staged{mpi::link{world, peer}, cuda::device_memory{}, cuda::pinned_memory{}}`.
///
/// `send` copies to the host and sends from there, `recv` receives there and copies to the device. `isend` copies, then
/// begins the inner message; `wait_all` waits for all inner messages, then copies what was received, in the order of
/// `irecv`. Copies are those of the device memory (`read`, `write`), whole regions, complete when they return, and lie
/// inside the sample; an empty message is not copied.
///
/// Each region of a buffer has one of its own on the host, and so has each of `window` messages under way together:
/// a copy must not change what is being sent. The link owns these regions, and frees them after the inner link.
template <class L, Memory Device, Memory Host = host_memory>
    requires(!Device::host_accessible && Host::host_accessible)
class staged {
public:
    /// Throws std::invalid_argument for a window of 0.
    staged(L link, Device device, Host host = {}, std::size_t window = 1)
        : device_{std::move(device)}, host_{std::move(host)}, window_{window}, link_{std::move(link)} {
        if (window == 0) throw std::invalid_argument{"sonde::staged: needs at least one message at a time"};
    }

    /// What the inner link throws for a buffer, and std::invalid_argument where that was made for a larger window.
    template <Buffer B>
    auto outgoing(B buffer) {
        auto const host = beside(buffer);
        if (fewest_ == 0 || host.regions() < fewest_) fewest_ = host.regions();
        return joined(std::move(buffer), host, sonde::outgoing(link_, host));
    }
    template <Buffer B>
    auto incoming(B buffer) {
        auto const host = beside(buffer);
        return joined(std::move(buffer), host, sonde::incoming(link_, host));
    }

    template <class M>
    void send(staged_message<M> const& m)
        requires requires(L& l) { l.send(m.message); }
    {
        to_host(m);
        link_.send(m.message);
    }
    template <class M>
    void recv(staged_message<M> const& m)
        requires requires(L& l) { l.recv(m.message); }
    {
        link_.recv(m.message);
        to_device(m.device, m.host);
    }

    template <class M>
    void isend(staged_message<M> const& m)
        requires requires(L& l) { l.isend(m.message); }
    {
        to_host(m);
        link_.isend(m.message);
    }
    template <class M>
    void irecv(staged_message<M> const& m)
        requires requires(L& l) { l.irecv(m.message); }
    {
        link_.irecv(m.message);
        received_.push_back({m.device, m.host});
    }
    void wait_all()
        requires requires(L& l) { l.wait_all(); }
    {
        link_.wait_all();
        for (auto const& r : received_) to_device(r.device, r.host);
        received_.clear();
    }

    /// Throws std::invalid_argument for more messages at a time than there are host regions to send them from.
    void expect(std::size_t n) {
        if (n > fewest_ && fewest_ != 0)
            throw std::invalid_argument{"sonde::staged: made for fewer messages at a time"};
        received_.reserve(n);
        sonde::expect(link_, n);
    }
    void complete()
        requires requires(L& l) { l.complete(); }
    {
        link_.complete();
    }

private:
    struct arrival {
        opaque_region device;
        region host;
    };

    /// A host region for each of the buffer's, as often as the window needs.
    rotating beside(Buffer auto const& buffer) {
        auto const theirs = sonde::regions(buffer), turns = (window_ + theirs - 1) / theirs;
        auto const each = allocation<Host>::stride_of(buffer.size()), n = theirs * turns;
        return staging_.emplace_back(each * n, host_).apart(buffer.size(), n);
    }
    template <Buffer B, Buffer Prepared>
    static staged_buffer<B, Prepared> joined(B buffer, rotating host, Prepared prepared) {
        static_assert(!std::is_reference_v<region_of<Prepared>>, "one region of the host is one message of the link");
        if (host.regions() % sonde::regions(prepared) != 0)
            throw std::invalid_argument{"sonde::staged: the link was made for more messages at a time"};
        return {std::move(buffer), host, std::move(prepared)};
    }

    template <class M>
    void to_host(staged_message<M> const& m) {
        if (!m.host.empty()) device_.read(m.host, m.device);
    }
    void to_device(opaque_region device, region host) {
        if (host.empty()) return;
        if constexpr (requires { device_.write(device, host, host_); }) device_.write(device, host, host_);
        else device_.write(device, host);
    }

    Device device_;
    Host host_;
    std::size_t window_;
    std::size_t fewest_ = 0; // of the host regions of buffers to send from; 0: there is none yet
    std::vector<allocation<Host>> staging_;
    std::vector<arrival> received_;
    L link_; // the last, so the first to go: its requests may still read from, or write into, the staging
};

} // namespace sonde
