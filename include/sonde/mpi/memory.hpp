// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>

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

} // namespace detail

/// Whether the MPI library of the running program accepts addresses of device memory of a runtime. The answer comes
/// from MPIX_Query_cuda_support, from MPIX_Query_rocm_support (Open MPI) or MPIX_Query_hip_support (MPICH), or from
/// MPIX_GPU_query_support (Cray MPICH); `unknown` where the library has none of them. MPI must be initialized.
[[nodiscard]] inline device_support device_support_of(device_runtime of) {
    return of == device_runtime::cuda ? detail::cuda_support() : detail::rocm_support();
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
