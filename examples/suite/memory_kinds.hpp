// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace suite {

struct device_functions;
struct memory_functions;

/// Programming interfaces of devices. A build has CUDA or ROCm or neither, and may have OpenACC beside it.
enum class device_api : unsigned char { cuda, rocm, openacc };

/// Of CUDA or ROCm (devices_gpu.cpp), and of OpenACC (devices_openacc.cpp), each defined if it is built in.
extern device_functions const gpu_functions;
extern device_functions const openacc_functions;

/// A programming interface of devices.
struct device_interface {
    char const* name;                  // "ROCm"
    char const* aware;                 // an MPI library that accepts its addresses
    char const* found_by;              // a build that has it
    bool is_gpu;                       // it has managed and page-locked memory, and kernels
    device_functions const* functions; // null unless it is built in
};

#if defined SUITE_CUDA
inline constexpr device_functions const *cuda_functions = &gpu_functions, *rocm_functions = nullptr;
#elif defined SUITE_ROCM
inline constexpr device_functions const *cuda_functions = nullptr, *rocm_functions = &gpu_functions;
#else
inline constexpr device_functions const *cuda_functions = nullptr, *rocm_functions = nullptr;
#endif
#ifdef SUITE_OPENACC
inline constexpr device_functions const* acc_functions = &openacc_functions;
#else
inline constexpr device_functions const* acc_functions = nullptr;
#endif

/// In the order of device_api.
inline constexpr device_interface device_interfaces[] = {
    {"CUDA", "CUDA-aware", "the CUDA toolkit", true, cuda_functions},
    {"ROCm", "ROCm-aware", "HIP", true, rocm_functions},
    {"OpenACC", "GPU-aware", "OpenACC", false, acc_functions}};

constexpr device_interface const& interface_of(device_api api) {
    return device_interfaces[static_cast<std::size_t>(api)];
}
constexpr bool is_built(device_api api) { return interface_of(api).functions != nullptr; }

/// The interface with managed and page-locked memory and kernels: the one that is built in, or CUDA.
constexpr auto gpu_api = is_built(device_api::rocm) ? device_api::rocm : device_api::cuda;
constexpr bool has_gpu() { return is_built(gpu_api); }

/// The interface of device memory where the command line names none: OpenACC only in a build without the others.
constexpr auto default_api = !has_gpu() && is_built(device_api::openacc) ? device_api::openacc : gpu_api;
constexpr bool has_device() { return is_built(default_api); }

/// Kinds of memory of a buffer. Pinned memory is page-locked memory of the host. Managed memory is of both sides, or of
/// the side that uses it.
enum class memory_kind : unsigned char { host, device, pinned_host, managed, managed_host, managed_device };

constexpr bool is_managed(memory_kind kind) {
    using enum memory_kind;
    return kind == managed || kind == managed_host || kind == managed_device;
}

/// Memory that a user asks for: a row of the table of memory kinds. Words that it lacks are empty.
struct memory_row {
    memory_kind kind;
    device_api api = gpu_api;                    // its interface, unless it needs no device
    memory_functions const* functions = nullptr; // of memory that needs no device
    std::string_view word{};                     // of -d and -mem_alloc_type: "cuda"
    std::string_view allocation_word{};          // of -mem_alloc_type alone, also in records: "shared"
    std::string_view place{};                    // of SRC and DST, also in records: "MH"
    std::string_view label{};                    // of the place in lines above tables: "MANAGED"
    std::string_view help{};                     // of the place
};

/// All kinds of memory, in the order of help texts.
std::span<memory_row const> memory_table();

/// The first row of a kind with a word in a column, such as `&memory_row::place`; null without one.
memory_row const* row_of(memory_kind kind, std::string_view memory_row::*column);

/// Functions of a kind that needs no device; null for others.
memory_functions const* host_functions_of(memory_kind kind);

inline bool needs_device(memory_kind kind) { return host_functions_of(kind) == nullptr; }

/// Kinds of memory of both sides' buffers: the source is rank 0 or the lower half of the ranks, the destination the
/// others.
struct buffer_placement {
    memory_kind source = memory_kind::host;
    memory_kind destination = memory_kind::host;

    bool all_host() const { return source == memory_kind::host && destination == memory_kind::host; }
    bool any_managed() const { return is_managed(source) || is_managed(destination); }
    bool any_device() const { return source == memory_kind::device || destination == memory_kind::device; }
    bool needs_device() const { return suite::needs_device(source) || suite::needs_device(destination); }
    bool operator==(buffer_placement const&) const = default;
};

/// Kind of memory, and the interface that has it unless it needs no device.
struct memory_choice {
    memory_kind kind = memory_kind::host;
    device_api api = gpu_api;

    bool operator==(memory_choice const&) const = default;
};

} // namespace suite
