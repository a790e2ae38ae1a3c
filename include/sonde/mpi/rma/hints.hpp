// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// What a window is to be told: keys and values of an MPI_Info, `{{"no_locks", "true"}}`. Keys that MPI reserves for
/// windows (MPI 4.0, 12.2.1): no_locks, accumulate_ordering, accumulate_ops, same_size, same_disp_unit,
/// mpi_accumulate_granularity; alloc_shared_noncontig of shared ones. A library ignores what it does not know.
using hints = std::vector<std::pair<std::string, std::string>>;

namespace detail {

/// Hints as MPI takes them; freed at the end. None are MPI_INFO_NULL.
class info {
public:
    explicit info(hints const& given) {
        if (given.empty()) return;
        check(MPI_Info_create(&info_), "MPI_Info_create");
        for (auto const& [key, value] : given) check(MPI_Info_set(info_, key.c_str(), value.c_str()), "MPI_Info_set");
    }
    info(info const&) = delete;
    info& operator=(info const&) = delete;
    ~info() {
        if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
    }
    MPI_Info get() const { return info_; }

private:
    MPI_Info info_ = MPI_INFO_NULL;
};

} // namespace detail

} // namespace sonde::mpi
