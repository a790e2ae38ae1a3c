// SPDX-License-Identifier: BSL-1.0
#include "suite/device.hpp"
#include "suite/refusal.hpp"

#include <sonde/cuda/cuda.hpp>

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdio>

namespace suite {

namespace {

int ranks_of_device = 1;
std::string size_options;

[[noreturn]] void refuse_memory(char const* kind, sonde::cuda::error const& e) {
    auto const exhausted = e.code() == cudaErrorMemoryAllocation;
    throw refusal{std::string{"Error allocating "} + kind + " memory" +
                  (exhausted ? " [" + size_options + "]: " : ": ") + e.what() +
                  (exhausted ? "; accepted: sizes that fit" : "")};
}

/// The functions of a memory whose errors of allocation are refusals.
template <class M, char const* kind>
memory_functions functions_or_refusal() {
    auto functions = functions_for<M>;
    functions.allocate = [](std::size_t n) -> void* {
        try {
            return M{}.allocate(n);
        } catch (sonde::cuda::error const& e) {
            refuse_memory(kind, e);
        }
    };
    return functions;
}

constexpr char device[] = "device", managed[] = "managed", pinned[] = "page-locked";

} // namespace

void choose_device(sonde::mpi::group const& world, device_use const& use) {
    size_options = use.size_options;
    auto const here = sonde::mpi::local_ranks::of(world);
    together(world, [&] {
        try {
            ranks_of_device = sonde::cuda::choose_device(world, here.rank).ranks;
            sonde::cuda::check(cudaFree(nullptr), "cudaFree"); // the device is initialized now, not by the first row
        } catch (sonde::cuda::error const& e) {
            throw refusal{"No device [" + use.options + "]: " + e.what() + "; accepted: " + use.accepted};
        }
    });
}

void warn_of_shared_devices(sonde::mpi::group const& world) {
    std::array<double, 1> most{static_cast<double>(ranks_of_device)};
    world.all_reduce(most, sonde::reduction::max);
    if (world.rank() == 0 && most[0] > 1)
        std::fprintf(stderr, "Warning: %.0f ranks of a host share a device, and disturb each other\n", most[0]);
}

std::string device_text() {
    using sonde::cuda::version_text;
    auto const found = sonde::cuda::properties_of(sonde::cuda::current_device());
    auto const shared = ranks_of_device == 1 ? "" : ", shared by " + std::to_string(ranks_of_device) + " ranks";
    return found.name + ", driver " + version_text(found.driver) + ", runtime " + version_text(found.runtime) + shared;
}

memory_functions const& cuda_functions_of(memory_kind kind) {
    static auto const of_device = functions_or_refusal<sonde::cuda::device_memory, device>();
    static auto const of_managed = functions_or_refusal<sonde::cuda::managed_memory, managed>();
    static auto const of_pinned = functions_or_refusal<sonde::cuda::pinned_memory, pinned>();
    if (kind == memory_kind::device) return of_device;
    return kind == memory_kind::pinned_host ? of_pinned : of_managed;
}

} // namespace suite
