// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace sonde::mpi {

/// Does a library take addresses of a device?
enum class support : unsigned char { no, yes, unknown };

/// Does this MPI library take addresses of a CUDA device? What MPIX_Query_cuda_support answers where the library has it
/// (Open MPI's extension, MPICH; Cray's has another name), else what it was compiled with, as far as its headers say.
/// MPI must be initialized.
[[nodiscard]] inline support device_support() {
#if defined(MPIX_GPU_SUPPORT_CUDA) && defined(CRAY_MPICH_VERSION)
    int takes = 0;
    check(MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes), "MPIX_GPU_query_support");
    return takes != 0 ? support::yes : support::no;
#elif (defined(OMPI_HAVE_MPI_EXT_CUDA) && OMPI_HAVE_MPI_EXT_CUDA) || defined(MPIX_GPU_SUPPORT_CUDA)
    return MPIX_Query_cuda_support() == 1 ? support::yes : support::no;
#elif defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_CUDA_AWARE_SUPPORT ? support::yes : support::no;
#else
    return support::unknown;
#endif
}

/// Bytes on a device were given to an MPI library that says that it does not take them: it would crash on them.
class device_refused : public std::runtime_error {
public:
    device_refused()
        : std::runtime_error{"sonde::mpi: the bytes are on a device, whose addresses this MPI library does not take; "
                             "send them through host memory with sonde::staged"} {}
};

namespace detail {

inline bool refused(opaque_region bytes) { return bytes.on_device() && device_support() == support::no; }

/// The region, if the MPI library takes it: asked when a buffer is translated, before the clock. A library that does
/// not say (`unknown`) is believed to. Throws device_refused.
inline opaque_region passable(opaque_region bytes) {
    if (refused(bytes)) throw device_refused{};
    return bytes;
}

/// The buffer, if the MPI library takes its regions. All are looked at, so that the first is next again.
template <Buffer B>
B passable(B buffer) {
    if constexpr (requires(region_of<B> r) { r.on_device(); })
        for (std::size_t i = sonde::regions(buffer); i != 0; --i) passable(opaque_region{buffer.next()});
    return buffer;
}

} // namespace detail

} // namespace sonde::mpi
