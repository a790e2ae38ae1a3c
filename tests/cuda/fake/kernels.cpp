// SPDX-License-Identifier: BSL-1.0
#include "kernels.hpp"

#include "call.hpp"
#include "streams.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace fake {

namespace {

struct kernels {
    std::mutex lock;
    std::map<void const*, std::string> names; // by the host function that a program launches
};

struct configuration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};

} // namespace

static kernels& all_kernels() {
    static auto& them = *new kernels;
    return them;
}
static thread_local std::vector<configuration> configured; // between <<<...>>> and the launch

static std::string name_of(void const* kernel) {
    auto const hold = std::lock_guard{all_kernels().lock};
    auto const found = all_kernels().names.find(kernel);
    return found == all_kernels().names.end() ? "?" : found->second;
}

// The type of a kernel's first parameter, from its mangled name: _Z4spiny or _ZN3gpu4spinEy give "y". Empty if the name
// is not mangled, or contains more than names.
static std::string_view first_parameter(std::string_view name) {
    if (!name.starts_with("_Z")) return {};
    name.remove_prefix(name.starts_with("_ZN") || name.starts_with("_ZL") ? 3 : 2);
    while (!name.empty() && name[0] >= '0' && name[0] <= '9') {
        std::size_t digits = 0;
        auto const length = std::stoul(std::string{name}, &digits);
        name.remove_prefix(std::min(digits + length, name.size()));
    }
    name.remove_prefix(name.starts_with('E') ? 1 : 0);
    return name.substr(0, 1);
}

// The duration of a kernel, of which only the name is known. A first argument that may be a 64-bit integer is its
// nanoseconds: cycles, at the device's 1 GHz.
static long long nanoseconds_of(std::string const& name, void** arguments) {
    auto const first = first_parameter(name);
    auto const is_integer = first.empty() || std::string_view{"ymxl"}.find(first) != std::string_view::npos;
    return is_integer && arguments != nullptr ? *static_cast<long long const*>(arguments[0]) : 0;
}

static cudaError_t launch(void const* kernel, void** arguments, cudaStream_t stream) {
    auto const name = name_of(kernel);
    return call("cudaLaunchKernel", line("cudaLaunchKernel", name, number_of(stream)), [&] {
        auto const where = stream_of(stream);
        if (!where) return cudaErrorInvalidResourceHandle;
        enqueue(where, {[] {}, current_settings().costs.kernel_ns + nanoseconds_of(name, arguments)});
        return cudaSuccess;
    });
}

} // namespace fake

using namespace fake;

cudaError_t cudaLaunchKernel(void const* kernel, dim3, dim3, void** arguments, std::size_t, cudaStream_t stream) {
    return launch(kernel, arguments, stream);
}

#ifndef __HIP_PLATFORM_AMD__
// A kernel's handle is the address of its registered host function.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, void const* host) {
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3, dim3, void** arguments, std::size_t, cudaStream_t stream) {
    return launch(kernel, arguments, stream);
}

#endif

void** __cudaRegisterFatBinary(void*) {
    static void* handle = nullptr;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }
void __cudaRegisterVar(void**, char*, char*, char const*, int, std::size_t, int, int) {}

void __cudaRegisterFunction(void**, char const* host, char*, char const* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
    auto const hold = std::lock_guard{all_kernels().lock};
    all_kernels().names[host] = name;
}

push_result __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
    configured.push_back({grid, block, shared, stream});
    return push_result{};
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, popped_stream* stream) {
    if (configured.empty()) return cudaErrorInvalidConfiguration;
    auto const call = configured.back();
    configured.pop_back();
    *grid = call.grid;
    *block = call.block;
    *shared = call.shared;
    *static_cast<cudaStream_t*>(stream) = call.stream;
    return cudaSuccess;
}
