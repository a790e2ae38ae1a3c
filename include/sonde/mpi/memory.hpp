// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>

namespace sonde::mpi {

/// Memory from MPI_Alloc_mem, which a library may have registered with its network (MPI 3.1, 8.2). MPI must be
/// initialized as long as it lives. Throws std::logic_error before MPI_Init and after MPI_Finalize.
struct alloc_mem {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    void* allocate(std::size_t n) const {
        detail::require_running(true);
        void* start = nullptr;
        check(MPI_Alloc_mem(static_cast<MPI_Aint>(n), MPI_INFO_NULL, &start), "MPI_Alloc_mem");
        return start;
    }
    void deallocate(void* p, std::size_t) const { MPI_Free_mem(p); }
    void fill(region bytes, std::byte value) const { host_memory{}.fill(bytes, value); }
};

} // namespace sonde::mpi
