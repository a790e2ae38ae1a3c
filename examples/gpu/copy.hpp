// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runtime.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

namespace gpu {

/// A copy that is enqueued in a stream; `complete` waits for the stream.
class copying {
public:
    copying(sonde::opaque_region to, sonde::opaque_region from, stream_type on) : to_{to}, from_{from}, stream_{on} {}

    void operator()() const { copy_async(to_.data(), from_.data(), to_.size(), any_direction, stream_); }
    void complete() const { native::synchronize(stream_); }
    sonde::traffic traffic() const { return {.bytes = to_.size(), .messages = 1}; }

private:
    sonde::opaque_region to_;
    sonde::opaque_region from_;
    stream_type stream_;
};

/// A copy with separate start and wait, between which work can be done: a sonde::NonblockingOperation. Each iteration
/// waits for the copy, so nothing is left to complete at the end of a sample.
class copy {
public:
    copy(sonde::opaque_region to, sonde::opaque_region from, stream_type on) : copying_{to, from, on}, stream_{on} {}

    void start() const { copying_(); }
    bool test() const { return native::is_complete(stream_); }
    void wait() const { native::synchronize(stream_); }
    void operator()() const {
        start();
        wait();
    }
    sonde::traffic traffic() const { return copying_.traffic(); }

private:
    copying copying_;
    stream_type stream_;
};

} // namespace gpu
