// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// Info hints for a window or a file: key-value pairs of an MPI_Info, `{{"no_locks", "true"}}`. An MPI library ignores
/// unknown keys. Reserved keys for windows (MPI 4.0, 12.2.1): no_locks, accumulate_ordering, accumulate_ops, same_size,
/// same_disp_unit; since MPI 4.1 mpi_accumulate_granularity; for shared windows alloc_shared_noncontig.
using hints = std::vector<std::pair<std::string, std::string>>;

namespace detail {

/// The reason why an MPI_Info cannot hold these hints (a key or value that is empty or too long); empty if it can. The
/// MPI library would end the job, because an MPI_Info has no error handler of its own.
inline std::string problem_of(hints const& given) {
    auto const problem_of_text = [](std::string const& text, std::size_t limit) {
        if (!text.empty() && text.size() < limit) return std::string{};
        return "sonde::mpi: an info hint needs a key and a value of 1 to " + std::to_string(limit - 1) +
               " characters, not \"" + text + '"';
    };
    for (auto const& [key, value] : given)
        for (auto const& problem : {problem_of_text(key, MPI_MAX_INFO_KEY), problem_of_text(value, MPI_MAX_INFO_VAL)})
            if (!problem.empty()) return problem;
    return "";
}

/// An MPI_Info with the given hints; MPI_INFO_NULL without hints. `problem_of(given)` must be empty.
inline owned_handle<MPI_Info> info_with(hints const& given) {
    owned_handle<MPI_Info> info{MPI_INFO_NULL, MPI_Info_free};
    if (!given.empty()) check(MPI_Info_create(info.address()), "MPI_Info_create");
    for (auto const& [key, value] : given) check(MPI_Info_set(info.get(), key.c_str(), value.c_str()), "MPI_Info_set");
    return info;
}

/// The value of a hint; empty if the info has no such key.
inline std::string hint_in(MPI_Info info, char const* key) {
    char value[MPI_MAX_INFO_VAL + 1] = {};
    int found = 0;
#if MPI_VERSION >= 4
    int size = sizeof value;
    check(MPI_Info_get_string(info, key, &size, value, &found), "MPI_Info_get_string");
#else
    check(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found), "MPI_Info_get");
#endif
    return found != 0 ? value : "";
}

} // namespace detail

} // namespace sonde::mpi
