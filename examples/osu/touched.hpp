// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "device.hpp"
#include "placement.hpp"

#include <sonde/buffer.hpp>
#include <sonde/link.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace osu {

/// Touches managed memory while measurements are under way; contents that are checked it leaves alone.
struct toucher {
    placement where;
    bool const* measuring;

    void operator()(sonde::opaque_region bytes) const {
        if (*measuring) touch(bytes, where);
    }
};

/// A region to touch, and the message that a link makes of it.
template <class Message>
struct touched_message {
    sonde::opaque_region bytes;
    Message of_link;
};

template <sonde::Buffer B, sonde::Buffer OfLink>
class touched_buffer {
public:
    touched_buffer(B bytes, OfLink of_link) : bytes_{std::move(bytes)}, of_link_{std::move(of_link)} {}
    touched_message<sonde::region_of<OfLink>> next() { return {bytes_.next(), of_link_.next()}; }
    std::size_t size() const { return of_link_.size(); }

private:
    B bytes_;
    OfLink of_link_;
};

/// A link whose messages are touched before they are sent, and after they are received: of a window all of the
/// buffer's regions then, as many as a window has messages.
template <class L>
class touched {
public:
    touched(L link, toucher with) : link_{std::move(link)}, touch_{with} {}

    auto outgoing(sonde::Buffer auto buffer) { return touched_buffer{buffer, sonde::outgoing(link_, buffer)}; }
    auto incoming(sonde::Buffer auto buffer) {
        for (auto i = sonde::regions(buffer); i != 0; --i) arriving_.push_back(buffer.next());
        return touched_buffer{buffer, sonde::incoming(link_, buffer)};
    }

    void send(auto const& m) {
        touch_(m.bytes);
        link_.send(m.of_link);
    }
    void recv(auto const& m) {
        link_.recv(m.of_link);
        touch_(m.bytes);
    }
    void isend(auto const& m) {
        touch_(m.bytes);
        link_.isend(m.of_link);
    }
    void irecv(auto const& m) {
        link_.irecv(m.of_link);
        receives_ = true;
    }
    void wait_all() {
        link_.wait_all();
        if (!std::exchange(receives_, false)) return;
        for (auto const& bytes : arriving_) touch_(bytes);
    }
    void expect(std::size_t n) { sonde::expect(link_, n); }

private:
    L link_;
    toucher touch_;
    std::vector<sonde::opaque_region> arriving_;
    bool receives_ = false;
};

} // namespace osu
