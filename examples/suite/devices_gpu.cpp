// SPDX-License-Identifier: BSL-1.0
// Devices and memory of CUDA or ROCm.
#include "suite/devices.hpp"
#include "suite/gpu_runtime.hpp"

namespace suite {

namespace {

/// The functions of a memory whose errors of allocation are refusals.
template <class M, char const* kind>
memory_functions functions_or_refusal() {
    auto functions = functions_for<M>;
    functions.allocate = [](std::size_t n) -> void* {
        try {
            return M{}.allocate(n);
        } catch (gpu_runtime::error const& e) {
            refuse_memory(kind, e.code() == gpu_runtime::runtime::out_of_memory, e.what());
        }
    };
    return functions;
}

constexpr char device[] = "device", managed[] = "managed", pinned[] = "page-locked";

int choose(sonde::mpi::group const& world) {
    auto const here = sonde::mpi::local_ranks::of(world);
    try {
        auto const ranks = gpu_runtime::choose_device(world, here.rank).ranks;
        gpu_runtime::runtime::free(nullptr); // the device is initialized now, not by the first row
        return ranks;
    } catch (gpu_runtime::error const& e) {
        throw no_device{e.what()};
    }
}

std::string describe() {
    using gpu_runtime::version_text;
    auto const found = gpu_runtime::properties_of(gpu_runtime::current_device());
    return found.name + ", driver " + version_text(found.driver) + ", runtime " + version_text(found.runtime);
}

memory_functions const& memory_of(memory_kind kind) {
    static auto const of_device = functions_or_refusal<gpu_runtime::device_memory, device>();
    static auto const of_managed = functions_or_refusal<gpu_runtime::managed_memory, managed>();
    static auto const of_pinned = functions_or_refusal<gpu_runtime::pinned_memory, pinned>();
    if (kind == memory_kind::device) return of_device;
    return kind == memory_kind::pinned_host ? of_pinned : of_managed;
}

} // namespace

device_functions const gpu_functions{
    choose, describe, memory_of, [] { return sonde::mpi::device_support_of(gpu_runtime::device_memory::runtime()); },
    [] { return false; }};

} // namespace suite
