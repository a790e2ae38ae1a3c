// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/link.hpp>

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace sonde {

/// A message as a link takes it, and the bytes it is of.
template <class Bytes, class Message>
struct touched_message {
    Bytes bytes;
    Message of_link;
};

/// Gives regions, and what a link takes of them, in step.
template <Buffer B, Buffer OfLink>
class touched_buffer {
public:
    touched_buffer(B bytes, OfLink of_link) : bytes_{std::move(bytes)}, of_link_{std::move(of_link)} {}
    touched_message<region_of<B>, region_of<OfLink>> next() { return {bytes_.next(), of_link_.next()}; }
    std::size_t size() const { return of_link_.size(); }
    std::size_t regions() const { return sonde::regions(bytes_); }

private:
    B bytes_;
    OfLink of_link_;
};

/// A link whose messages are touched inside the sample, as who computes with them would: before they are sent, and
/// after they were received. Of a window each that was received, in order, after the wait.
///
///     touch(bytes)    bytes: an opaque region
template <class L, std::invocable<opaque_region> Touch>
class touched {
public:
    touched(L link, Touch touch) : link_{std::move(link)}, touch_{std::move(touch)} {}

    template <Buffer B>
    auto outgoing(B buffer) {
        return touched_buffer{buffer, sonde::outgoing(link_, buffer)};
    }
    template <Buffer B>
    auto incoming(B buffer) {
        return touched_buffer{buffer, sonde::incoming(link_, buffer)};
    }

    void send(auto const& m)
        requires requires(L& l) { l.send(m.of_link); }
    {
        touch_(m.bytes);
        link_.send(m.of_link);
    }
    void recv(auto const& m)
        requires requires(L& l) { l.recv(m.of_link); }
    {
        link_.recv(m.of_link);
        touch_(m.bytes);
    }
    void isend(auto const& m)
        requires requires(L& l) { l.isend(m.of_link); }
    {
        touch_(m.bytes);
        link_.isend(m.of_link);
    }
    void irecv(auto const& m)
        requires requires(L& l) { l.irecv(m.of_link); }
    {
        link_.irecv(m.of_link);
        arrived_.push_back(m.bytes);
    }
    void wait_all()
        requires requires(L& l) { l.wait_all(); }
    {
        link_.wait_all();
        for (auto const& bytes : arrived_) touch_(bytes);
        arrived_.clear();
    }
    void expect(std::size_t n) {
        sonde::expect(link_, n);
        arrived_.reserve(n);
    }
    void complete()
        requires requires(L& l) { l.complete(); }
    {
        link_.complete();
    }

private:
    L link_;
    Touch touch_;
    std::vector<opaque_region> arrived_; // once the wait is over
};

} // namespace sonde
