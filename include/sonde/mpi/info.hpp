// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Info hints for a window or a file: key-value pairs of an MPI_Info, `{{"no_locks", "true"}}`. An MPI library ignores
/// unknown keys.
/// Reserved keys for windows (MPI 4.0, 12.2.1): no_locks, accumulate_ordering, accumulate_ops, same_size,
/// same_disp_unit; since MPI 4.1 mpi_accumulate_granularity; for shared windows alloc_shared_noncontig.
using hints = std::vector<std::pair<std::string, std::string>>;

namespace detail {

/// An MPI_Info with the given hints; MPI_INFO_NULL without hints. Throws std::invalid_argument for an empty or too long
/// key or value: the MPI library would end the job, because an MPI_Info has no error handler of its own.
inline owned_handle<MPI_Info> info_with(hints const& given) {
    auto const require_length = [](std::string const& text, std::size_t limit) {
        if (text.empty() || text.size() >= limit)
            throw std::invalid_argument{"sonde::mpi: an info hint needs a key and a value of 1 to " +
                                        std::to_string(limit - 1) + " characters, not \"" + text + '"'};
    };
    owned_handle<MPI_Info> info{MPI_INFO_NULL, MPI_Info_free};
    if (!given.empty()) check(MPI_Info_create(info.address()), "MPI_Info_create");
    for (auto const& [key, value] : given) {
        require_length(key, MPI_MAX_INFO_KEY);
        require_length(value, MPI_MAX_INFO_VAL);
        check(MPI_Info_set(info.get(), key.c_str(), value.c_str()), "MPI_Info_set");
    }
    return info;
}

} // namespace detail

} // namespace sonde::mpi
