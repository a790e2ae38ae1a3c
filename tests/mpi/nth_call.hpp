// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

/// The MPI calls of a program that make or read objects, one of which fails: the functions MPI_... are defined here and
/// call PMPI_..., which tests call directly.
namespace nth_call {

struct state {
    long until_failure = -1;          // calls before the one that returns MPI_ERR_OTHER without effect; negative: never
    std::map<std::string, long> left; // objects made and not freed, by kind
    bool dry = false;                 // calls that move data only record their lengths
    std::vector<std::size_t> lengths; // of such calls, in bytes; SIZE_MAX for a negative count
    std::vector<std::string> reported; // names of calls that failed
};

state& current();

} // namespace nth_call
