// SPDX-License-Identifier: BSL-1.0

// Tests every kind of memory: write and read, fill, and the migration of managed memory.

#include "on_device.hpp"

#include <sonde/memory.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace {

constexpr std::size_t bytes = (std::size_t{1} << 20) + 3; // an odd number of bytes

std::vector<std::byte> counted(std::size_t n) {
    std::vector<std::byte> values(n);
    for (std::size_t i = 0; i != n; ++i) values[i] = static_cast<std::byte>(i % 251);
    return values;
}

template <class M>
std::vector<std::byte> contents(sonde::allocation<M> const& of) {
    std::vector<std::byte> found(bytes);
    of.read(0, found);
    return found;
}

/// Fill all bytes, then write all except the first and the last byte.
template <class M>
bool holds(char const* name) {
    sonde::allocation<M> memory{bytes};
    auto expected = counted(bytes);
    expected.front() = expected.back() = std::byte{0x5a};
    memory.fill(std::byte{0x5a});
    auto const filled = contents(memory) == std::vector<std::byte>(bytes, std::byte{0x5a});
    memory.write(1, std::span{expected}.subspan(1, bytes - 2));
    auto const written = contents(memory) == expected;
    std::printf("%-16s filled: %s, written: %s\n", name, filled ? "yes" : "no", written ? "yes" : "no");
    return filled && written;
}

/// Managed bytes are prefetched to the device, which copies and then fills them, and are prefetched back.
void go_and_return(sonde::opaque_region managed, sonde::opaque_region copy) {
    gpu::native::stream stream;
    gpu::native::prefetch(managed, gpu::native::location::device, stream);
    gpu::copy_async(copy.data(), managed.data(), bytes, gpu::any_direction, stream);
    suite::set_async(managed.data(), 0x33, bytes, stream);
    gpu::native::prefetch(managed, gpu::native::location::host, stream);
    stream.synchronize();
}

/// Prefetch in both directions: bytes written by the host are read on the device, and vice versa.
bool traffic() {
    if (!gpu::native::can_prefetch()) {
        std::printf("managed memory   stays: host and this device cannot use it at the same time\n");
        return true;
    }
    sonde::allocation<gpu::native::managed_memory> memory{bytes};
    sonde::allocation<gpu::native::device_memory> copy{bytes};
    auto const expected = counted(bytes);
    memory.write(0, expected);
    go_and_return(memory.bytes(), copy.bytes());
    auto const there = contents(copy) == expected;
    auto const back = contents(memory) == std::vector<std::byte>(bytes, std::byte{0x33});
    std::printf("managed memory   placed on the device: %s, on the host: %s\n", there ? "yes" : "no",
                back ? "yes" : "no");
    return there && back;
}

} // namespace

int main() {
    return gpu::on_device([] {
        auto const device = holds<gpu::native::device_memory>("device_memory");
        auto const pinned = holds<gpu::native::pinned_memory>("pinned_memory");
        auto const managed = holds<gpu::native::managed_memory>("managed_memory");
        auto const moved = traffic();
        return device && pinned && managed && moved;
    });
}
