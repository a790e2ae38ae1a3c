// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <stdexcept>
#include <string>

// Errors of one rank around a collective call. All ranks throw, so that no rank waits for a rank that has thrown.

namespace sonde::mpi::detail {

inline int error_class_of(int code) {
    int found = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &found);
    return found;
}

/// Throws mpi::error on all ranks if a call failed on any rank. A rank whose call failed throws its own error code; the
/// other ranks throw the highest error class of any rank. Collective over the group.
inline void check_on_all(group const& ranks, int code, char const* routine) {
    auto highest = static_cast<double>(error_class_of(code));
    ranks.all_reduce({&highest, 1}, reduction::max);
    check(code, routine);
    check(static_cast<int>(highest), routine);
}

/// Throws std::invalid_argument on all ranks if any rank has a problem with its arguments. `problem` describes it, and
/// is empty if there is no problem. A rank with a problem throws its own text; the other ranks throw the text and the
/// number of the first such rank. Call it before a collective call whose arguments may differ between ranks. Collective
/// over the group.
inline void require_on_all(group const& ranks, std::string const& problem) {
    auto first = static_cast<double>(problem.empty() ? ranks.size() : ranks.rank());
    ranks.all_reduce({&first, 1}, reduction::min);
    auto const root = static_cast<int>(first);
    if (root == ranks.size()) return;
    auto text = problem;
    sonde::broadcast(ranks, text, root);
    throw std::invalid_argument{problem.empty() ? "rank " + std::to_string(root) + ": " + text : problem};
}

} // namespace sonde::mpi::detail
