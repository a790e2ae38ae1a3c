// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// One-sided MPI calls, recorded like those of the ledger: the functions MPI_... are defined here, record the call, and
/// call PMPI_..., which tests call directly. Also a fault that a test may request.
namespace rma_calls {

struct state {
    std::map<std::string, std::size_t> calls{}; // by name, without MPI_
    std::string fails{};                        // the call of this name returns MPI_ERR_OTHER without effect
    std::size_t after = 0;                      // after this number of successful calls
    long windows = 0;                           // created and not freed
    long groups = 0;
    long infos = 0;
    long locks = 0;                            // of one rank, or of all
    std::vector<int> assertions{};             // of fences, in their order
    std::vector<std::pair<int, int>> locked{}; // ranks and types of locks, in their order
    bool lists = false;                        // true if `listed` is recorded
    std::vector<std::string> listed{};         // names of calls, in their order
};

state& current();

/// The calls while f runs, in their order.
template <class F>
std::vector<std::string> in_order(F f) {
    current().listed.clear();
    current().lists = true;
    f();
    current().lists = false;
    return current().listed;
}

/// Makes a call fail while f runs, after a number of successes.
template <class F>
void failing(std::string const& name, std::size_t after, F f) {
    current().fails = name;
    current().after = after;
    f();
    current().fails.clear();
}

/// Fails a test case that leaves windows, groups, infos or locks.
struct nothing_left {
    nothing_left() = default;
    nothing_left(nothing_left const&) = delete;
    nothing_left& operator=(nothing_left const&) = delete;
    ~nothing_left();
};

} // namespace rma_calls
