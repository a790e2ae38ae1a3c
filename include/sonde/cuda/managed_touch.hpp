// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/cuda/prefetch.hpp>
#include <sonde/cuda/stream.hpp>
#include <sonde/link.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace sonde::cuda {

/// Managed memory is used where it belongs, so that its pages are there, and complete when this returns.
///
///     t(bytes)    device: pages to the device, every byte set by it
///                 host: every byte set to 'c', of more than 128 KiB (the suite's limit) only the pages fetched
///
/// One that preserves sets nothing, for contents that are checked.
class touch {
public:
    static constexpr std::size_t sets_by_host = 131072;

    touch(location where, cudaStream_t on, bool preserves = false)
        : where_{where}, stream_{on}, preserves_{preserves} {}

    void operator()(opaque_region bytes) const {
        if (where_ == location::host && bytes.size() <= sets_by_host) {
            if (!preserves_ && !bytes.empty()) std::memset(bytes.data(), value, bytes.size());
            return;
        }
        prefetch(bytes, where_, stream_);
        if (where_ == location::device && !preserves_)
            check(cudaMemsetAsync(bytes.data(), value, bytes.size(), stream_), "cudaMemsetAsync");
        synchronize(stream_);
    }

private:
    static constexpr int value = 'c';

    location where_;
    cudaStream_t stream_;
    bool preserves_;
};

/// A message of a link, and the bytes it is of.
template <class Message>
struct touched_message {
    opaque_region bytes;
    Message of_link;
};

/// Gives regions, and what a link takes of them, in step.
template <Buffer B, Buffer OfLink>
class touched_buffer {
public:
    touched_buffer(B bytes, OfLink of_link) : bytes_{std::move(bytes)}, of_link_{std::move(of_link)} {}
    touched_message<region_of<OfLink>> next() { return {bytes_.next(), of_link_.next()}; }
    std::size_t size() const { return of_link_.size(); }
    std::size_t regions() const { return sonde::regions(bytes_); }

private:
    B bytes_;
    OfLink of_link_;
};

/// A link that touches managed memory inside the sample: before it is sent, and after it was received into.
template <class L>
class touched {
public:
    touched(L link, touch with) : link_{std::move(link)}, touch_{with} {}

    template <Buffer B>
    auto outgoing(B buffer) {
        return touched_buffer{buffer, sonde::outgoing(link_, buffer)};
    }
    template <Buffer B>
    auto incoming(B buffer) {
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
        arriving_.push_back(m.bytes);
    }
    void wait_all() {
        link_.wait_all();
        for (auto const bytes : arriving_) touch_(bytes);
        arriving_.clear();
    }
    void expect(std::size_t n) {
        sonde::expect(link_, n);
        arriving_.reserve(n);
    }
    void complete()
        requires requires(L& l) { l.complete(); }
    {
        link_.complete();
    }

private:
    L link_;
    touch touch_;
    std::vector<opaque_region> arriving_;
};

} // namespace sonde::cuda
