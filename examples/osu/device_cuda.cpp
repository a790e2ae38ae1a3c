// SPDX-License-Identifier: BSL-1.0
// What the programs do with a device; without CUDA this file is not compiled.
#include "common.hpp"
#include "device.hpp"
#include "managed.hpp"

#include <sonde/cuda/device.hpp>
#include <sonde/cuda/memory.hpp>
#include <sonde/cuda/stream.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/sync.hpp>

#include <array>
#include <cstdio>

namespace osu {

namespace {

int ranks_of_device = 1;

[[noreturn]] void refuse_memory(char const* what, sonde::cuda::error const& e) {
    auto const too_much = e.code() == cudaErrorMemoryAllocation;
    throw refusal{std::string{"Error allocating "} + what + " memory" + (too_much ? " [-m, -W]: " : ": ") + e.what() +
                  (too_much ? "; accepted: sizes that fit" : "")};
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

sonde::cuda::stream const& stream_of_touch() {
    static sonde::cuda::stream const own;
    return own;
}

constexpr char of_device[] = "device", managed[] = "managed", pinned[] = "page-locked";

} // namespace

void take_device(sonde::mpi::group const& world, std::string const& wish, std::string const& otherwise) {
    auto const here = sonde::mpi::local_ranks::of(world);
    together(world, [&] {
        try {
            ranks_of_device = sonde::cuda::choose_device(world, here.rank).ranks;
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

std::string device_in_words() {
    using sonde::cuda::version_text;
    auto const found = sonde::cuda::properties_of(sonde::cuda::current_device());
    auto const shared = ranks_of_device == 1 ? "" : ", shared by " + std::to_string(ranks_of_device) + " ranks";
    return found.name + ", driver " + version_text(found.driver) + ", runtime " + version_text(found.runtime) + shared;
}

memory_calls const& device_calls_of(placement where) {
    static auto const device = calls_or_refusal<sonde::cuda::device_memory, of_device>();
    static auto const either = calls_or_refusal<sonde::cuda::managed_memory, managed>();
    return where == placement::device ? device : either;
}

memory_calls const& pinned_calls() {
    static auto const calls = calls_or_refusal<sonde::cuda::pinned_memory, pinned>();
    return calls;
}

void prepare_touch(std::string const& wish) {
    if (!sonde::cuda::can_prefetch())
        throw refusal{"The device does not let the host use managed memory while itself does [" + wish +
                      "]; accepted: words without MH and MD"};
    static_cast<void>(stream_of_touch());
}

void touch(sonde::opaque_region bytes, placement where) {
    using sonde::cuda::location;
    // OMB lets a kernel change every byte; without one the device sets them.
    managed_touch{where == placement::managed_device ? location::device : location::host, stream_of_touch()}(bytes);
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
