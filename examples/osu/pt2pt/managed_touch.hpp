// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/gpu_runtime.hpp"

#include <sonde/memory/buffer.hpp>

#include <cstddef>
#include <cstring>

namespace osu {

/// Callable that uses managed memory at a location, so that its pages migrate there; complete when it returns.
///
///     t(bytes)    device: prefetches the pages to the device, which sets every byte to 'c'
///                 host: sets every byte to 'c'; above 128 KiB, OMB's limit, only prefetches the pages to the host
///
/// With `preserve` no byte is changed, for messages that are validated. For a link that touches inside the sample:
/// `sonde::touched_link{link, managed_touch{location::device, stream}}`.
class managed_touch {
public:
    static constexpr std::size_t max_set_by_host = 131072;

    managed_touch(suite::gpu_runtime::location where, suite::gpu_stream stream, bool preserve = false)
        : where_{where}, stream_{stream}, preserve_{preserve} {}

    void operator()(sonde::opaque_region bytes) const {
        if (bytes.empty()) return;
        if (where_ == suite::gpu_runtime::location::host && bytes.size() <= max_set_by_host) {
            if (!preserve_) std::memset(bytes.data(), value, bytes.size());
            return;
        }
        suite::gpu_runtime::prefetch(bytes, where_, stream_);
        if (where_ == suite::gpu_runtime::location::device && !preserve_)
            suite::set_async(bytes.data(), value, bytes.size(), stream_);
        suite::gpu_runtime::synchronize(stream_);
    }

private:
    static constexpr int value = 'c';

    suite::gpu_runtime::location where_;
    suite::gpu_stream stream_;
    bool preserve_;
};

} // namespace osu
