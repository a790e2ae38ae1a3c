// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/hints.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

// Extensions of MPI libraries. Weak symbols are null where the library of the running program lacks them, which may be
// another library than the one that it was compiled for.
extern "C" {
[[gnu::weak]] int MPIX_Query_cuda_support();
[[gnu::weak]] int MPIX_Query_rocm_support();
[[gnu::weak]] int MPIX_Query_hip_support();
[[gnu::weak]] int MPIX_GPU_query_support(int device, int* accepted);
}

namespace sonde::inline v0_1::mpi {

/// Memory from MPI_Alloc_mem, which a library may have registered with its network (MPI 3.1, 8.2). MPI must stay
/// initialized until the memory is freed. Throws std::logic_error before MPI_Init and after MPI_Finalize.
struct alloc_mem : host_memory_base {
    void* allocate(std::size_t n) const {
        detail::require_running(true);
        void* start = nullptr;
        check(MPI_Alloc_mem(static_cast<MPI_Aint>(n), MPI_INFO_NULL, &start), "MPI_Alloc_mem");
        return start;
    }
    void deallocate(void* p, std::size_t) const { MPI_Free_mem(p); }
};

/// The kinds of memory whose addresses the MPI library takes on a communicator, "mpi,system,cuda:device", by the info
/// key mpi_memory_alloc_kinds (MPI 4.1, 11.4.3); empty if the library does not tell, as before MPI 4.1. A launch
/// (`mpiexec -memory-alloc-kinds`) or the info of a session requests kinds.
[[nodiscard]] inline std::string memory_alloc_kinds(MPI_Comm comm) {
    detail::owned_handle<MPI_Info> info{MPI_INFO_NULL, MPI_Info_free};
    check(MPI_Comm_get_info(comm, info.address()), "MPI_Comm_get_info");
    return detail::hint_in(info.get(), "mpi_memory_alloc_kinds");
}

/// Whether a library accepts addresses of device memory.
enum class device_support : unsigned char { no, yes, unknown };

namespace detail {

inline device_support support_of(bool accepted) { return accepted ? device_support::yes : device_support::no; }

/// The answer about a kind of device, by the number that the headers of MPICH's family have for it.
inline device_support support_of_device(int device) {
    if (MPIX_GPU_query_support == nullptr) return device_support::unknown;
    int accepted = 0;
    check(MPIX_GPU_query_support(device, &accepted), "MPIX_GPU_query_support");
    return support_of(accepted != 0);
}

inline device_support cuda_support() {
    if (MPIX_Query_cuda_support != nullptr) return support_of(MPIX_Query_cuda_support() == 1);
#ifdef MPIX_GPU_SUPPORT_CUDA
    return support_of_device(MPIX_GPU_SUPPORT_CUDA);
#else
    return device_support::unknown;
#endif
}

inline device_support rocm_support() {
    if (MPIX_Query_rocm_support != nullptr) return support_of(MPIX_Query_rocm_support() == 1);
    if (MPIX_Query_hip_support != nullptr) return support_of(MPIX_Query_hip_support() == 1);
#ifdef MPIX_GPU_SUPPORT_HIP
    return support_of_device(MPIX_GPU_SUPPORT_HIP);
#else
    return device_support::unknown;
#endif
}

/// True if a list of kinds has a kind, with or without restrictors: "cuda", "cuda:device".
constexpr bool lists_kind(std::string_view list, std::string_view kind) {
    while (!list.empty()) {
        auto const one = list.substr(0, list.find(','));
        if (one.substr(0, one.find(':')) == kind) return true;
        list.remove_prefix(one.size() == list.size() ? one.size() : one.size() + 1);
    }
    return false;
}

/// The answer of the library's extensions, or `yes` for a runtime whose kind is listed: "cuda", "rocm".
inline device_support support_of(device_runtime of, std::string_view kinds) {
    auto const is_cuda = of == device_runtime::cuda;
    return lists_kind(kinds, is_cuda ? "cuda" : "rocm") ? device_support::yes
           : is_cuda                                    ? cuda_support()
                                                        : rocm_support();
}

} // namespace detail

/// Whether the MPI library of the running program accepts addresses of device memory of a runtime. The answer is `yes`
/// if MPI_COMM_WORLD lists its kind, "cuda" or "rocm", in `memory_alloc_kinds`. Otherwise it comes from
/// MPIX_Query_cuda_support, from MPIX_Query_rocm_support (Open MPI) or MPIX_Query_hip_support (MPICH), or from
/// MPIX_GPU_query_support (Cray MPICH); `unknown` where the library has none of them. MPI must be initialized.
[[nodiscard]] inline device_support device_support_of(device_runtime of) {
    auto const answer = detail::support_of(of, "");
    if (answer == device_support::yes || detail::not_running_reason(false) != nullptr) return answer;
    return detail::support_of(of, memory_alloc_kinds(MPI_COMM_WORLD));
}

/// Exception for device memory that is given to an MPI library without support for it. The library would crash.
class device_memory_unsupported : public std::runtime_error {
public:
    device_memory_unsupported()
        : std::runtime_error{"sonde::mpi: the bytes are on a device, whose addresses this MPI library does not take; "
                             "send them through host memory with sonde::staged_link"} {}
};

namespace detail {

inline bool is_unsupported(opaque_region bytes) {
    return bytes.on_device() && device_support_of(bytes.runtime()) == device_support::no;
}

/// Returns the region. The check is made with the pattern, before the clock runs. Throws device_memory_unsupported for
/// device memory where device_support_of(its runtime) is `no`; `unknown` counts as supported.
inline opaque_region require_supported(opaque_region bytes) {
    if (is_unsupported(bytes)) throw device_memory_unsupported{};
    return bytes;
}

/// Returns the buffer after a check of each of its regions; its `next` returns the first region again.
template <Buffer B>
B require_supported(B buffer) {
    if constexpr (requires(region_of<B> r) { r.on_device(); })
        for (std::size_t i = sonde::regions(buffer); i != 0; --i) require_supported(opaque_region{buffer.next()});
    return buffer;
}

} // namespace detail

} // namespace sonde::mpi
