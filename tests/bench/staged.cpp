// SPDX-License-Identifier: BSL-1.0

// Staged messages by Sonde and by hand without a device: host memory takes the place of device memory.

#include "staged.hpp"

#include <cstring>

namespace {

struct stand_in : sonde::host_memory {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;

    bool on_device() const { return false; }
    void fill(sonde::opaque_region to, std::byte value) const {
        sonde::host_memory::fill({to.data(), to.size()}, value);
    }
    void write(sonde::opaque_region to, std::span<std::byte const> from) const {
        std::memcpy(to.data(), from.data(), from.size());
    }
    void read(sonde::region into, sonde::opaque_region from) const {
        std::memcpy(into.data(), from.data(), into.size());
    }
};

struct copies {
    using device = stand_in;
    using host = sonde::host_memory;
    static void to_host(void* into, void const* from, std::size_t n) { std::memcpy(into, from, n); }
    static void to_device(void* into, void const* from, std::size_t n) { std::memcpy(into, from, n); }
};

} // namespace

int main(int argc, char** argv) {
    return run_benchmark(argc, argv, [] { return staged_bench::all<copies>({300, 50}); });
}
