// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../remote_memory.hpp"
#include "../../support.hpp"

#include <sonde/link.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace unit {

using events = std::vector<std::string>;

/// A text of an operation on a message, which is identified by its first byte.
inline std::string event_text(char const* what, std::span<std::byte const> bytes) {
    return std::string{what} + " " + std::to_string(std::to_integer<int>(bytes[0]));
}

/// Simulated device memory that takes time to copy, and notes its copies.
struct slow_memory : remote_memory {
    process* self = nullptr;
    std::chrono::nanoseconds reading{}, writing{};
    events* log = nullptr;

    void read(sonde::region into, sonde::opaque_region from) const {
        remote_memory::read(into, from);
        self->work(reading);
        log->push_back(event_text("read", into));
    }
    void write(sonde::opaque_region to, std::span<std::byte const> from) const {
        remote_memory::write(to, from);
        self->work(writing);
        log->push_back(event_text("write", from));
    }
};

/// A simulated link that notes its calls.
struct logging_link {
    sonde::sim::link inner;
    events* log;

    void send(sonde::region r) { note(event_text("send", r)), inner.send(r); }
    void recv(sonde::region r) { note("recv"), inner.recv(r); }
    void isend(sonde::region r) { note(event_text("isend", r)), inner.isend(r); }
    void irecv(sonde::region r) { note("irecv"), inner.irecv(r); }
    void wait_all() { note("wait_all"), inner.wait_all(); }
    void note(std::string what) { log->push_back(std::move(what)); }
};

/// One of two ranks that send from device memory: message w of rank r consists of bytes 10 r + w + 1.
struct staging_rank {
    process* self;
    std::size_t bytes, window;
    events log{};
    std::array<std::byte, 1> token{};
    slow_memory memory{{}, self, std::chrono::nanoseconds{700}, std::chrono::nanoseconds{900}, &log};
    sonde::allocation<remote_memory> out{window * stride_of()}, in{window * stride_of()};
    sonde::role who = self->rank() == 0 ? sonde::role::initiator : sonde::role::responder;

    staging_rank(process& rank, std::size_t n, std::size_t messages) : self{&rank}, bytes{n}, window{messages} {
        in.fill(std::byte{0});
        for (std::size_t w = 0; w != window; ++w) {
            std::vector<std::byte> const own(n, byte_of(self->rank(), w));
            out.write(w * stride_of(), own);
        }
    }
    std::size_t stride_of() const { return sonde::host_allocation::stride_of(bytes); }
    static std::byte byte_of(int rank, std::size_t w) {
        return static_cast<std::byte>(10 * rank + static_cast<int>(w) + 1);
    }

    auto link() { return sonde::staged_link{logging_link{self->link(1 - self->rank()), &log}, memory}; }
    auto sent() const { return out.distinct_regions(bytes, window); }
    auto received() const { return in.distinct_regions(bytes, window); }
};

} // namespace unit
