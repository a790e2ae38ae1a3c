// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>

#include <cstddef>
#include <utility>

namespace sonde {

/// Bytes of a device, the host bytes by which they go, and these as the inner link takes them.
template <class Message>
struct staged_message {
    opaque_region device;
    region host;
    Message message;
};

/// A buffer of device memory with a region of host memory for each message.
template <Buffer Device, Buffer Prepared>
class staged_buffer {
public:
    staged_buffer(Device device, rotating host, Prepared prepared)
        : device_{std::move(device)}, host_{host}, prepared_{std::move(prepared)} {}
    staged_message<region_of<Prepared>> next() { return {device_.next(), host_.next(), prepared_.next()}; }
    std::size_t size() const { return prepared_.size(); }
    std::size_t regions() const { return host_.regions(); }

private:
    Device device_;
    rotating host_;
    Prepared prepared_;
};

} // namespace sonde
