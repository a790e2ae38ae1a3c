// SPDX-License-Identifier: BSL-1.0
// What the programs do with a device; without CUDA this file is not compiled.
#include "common.hpp"
#include "device.hpp"

#include <sonde/cuda/device.hpp>
#include <sonde/cuda/device_memory.hpp>
#include <sonde/cuda/managed_memory.hpp>
#include <sonde/cuda/managed_touch.hpp>
#include <sonde/cuda/pinned_memory.hpp>
#include <sonde/cuda/stream.hpp>
#include <sonde/mpi/clock.hpp>
#include <sonde/mpi/local_ranks.hpp>

#include <array>
#include <cstdio>

namespace osu {

namespace {

int ranks_of_device = 1;

[[noreturn]] void refuse_memory(char const* what, sonde::cuda::error const& e) {
    throw refusal{std::string{"Error allocating "} + what + " memory [-m, -W]: " + e.what() +
                  "; accepted: sizes that fit"};
}

template <class M, char const* what>
memory_calls calls_or_refusal() {
    auto calls = calls_for<M>;
    calls.allocate = [](std::size_t n) -> void* {
        try {
            return M{}.allocate(n);
        } catch (sonde::cuda::error const& e) {
            refuse_memory(what, e);
        }
    };
    return calls;
}

constexpr char of_device[] = "device", managed[] = "managed", pinned[] = "page-locked";

/// Managed memory of all ranks that share the device fits there together: each takes what it allocates for the others,
/// too.
struct shared_managed : sonde::cuda::managed_memory {
    void* allocate(std::size_t n) const {
        sonde::cuda::room_of_process().take(others(n));
        try {
            return sonde::cuda::managed_memory::allocate(n);
        } catch (...) {
            sonde::cuda::room_of_process().give_back(others(n));
            throw;
        }
    }
    void deallocate(void* p, std::size_t n) const {
        sonde::cuda::managed_memory::deallocate(p, n);
        sonde::cuda::room_of_process().give_back(others(n));
    }

private:
    static std::size_t others(std::size_t n) { return n * static_cast<std::size_t>(ranks_of_device - 1); }
};

} // namespace

void take_device(sonde::mpi::group const& world, std::string const& wish, std::string const& otherwise) {
    auto const here = sonde::mpi::local_ranks::of(world);
    together(world, [&] {
        try {
            ranks_of_device = sonde::cuda::choose_device(here.rank, here.size).ranks;
            sonde::cuda::check(cudaFree(nullptr), "cudaFree"); // the device is initialized now, not by the first row
        } catch (sonde::cuda::error const& e) {
            throw refusal{"No device [" + wish + "]: " + e.what() + "; accepted: " + otherwise};
        }
    });
}

void say_shared(sonde::mpi::group const& world) {
    std::array<double, 1> most{static_cast<double>(ranks_of_device)};
    world.all_reduce(most, sonde::reduction::max);
    if (world.rank() == 0 && most[0] > 1)
        std::fprintf(stderr, "Warning: %.0f ranks of a host share a device, and disturb each other\n", most[0]);
}

memory_calls const& device_calls_of(placement where) {
    static auto const device = calls_or_refusal<sonde::cuda::device_memory, of_device>();
    static auto const shared = calls_or_refusal<shared_managed, managed>();
    return where == placement::device ? device : shared;
}

memory_calls const& pinned_calls() {
    static auto const calls = calls_or_refusal<sonde::cuda::pinned_memory, pinned>();
    return calls;
}

void touch(sonde::opaque_region bytes, placement where) {
    static sonde::cuda::stream const own;
    using sonde::cuda::location;
    // OMB lets a kernel change every byte; without one the device sets them.
    sonde::cuda::touch{where == placement::managed_device ? location::device : location::host, own}(bytes);
}

sonde::seconds least_launch() {
    constexpr int unmeasured = 10, measured = 1000;
    sonde::allocation<sonde::cuda::device_memory> const byte{1};
    sonde::cuda::stream const own;
    sonde::mpi::wtime clock;
    auto const launch = [&](int times) {
        for (int i = 0; i != times; ++i) {
            // OMB launches a kernel that does nothing; a set of one byte is as near as there is without a kernel.
            sonde::cuda::check(cudaMemsetAsync(byte.bytes().data(), 0, 1, own), "cudaMemsetAsync");
            own.synchronize();
        }
    };
    launch(unmeasured);
    auto const begin = clock.now();
    launch(measured);
    return sonde::seconds{clock.now() - begin} / measured;
}

} // namespace osu
