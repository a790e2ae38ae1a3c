// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// What was asked of the one-sided part of the MPI library, in the manner of the ledger: functions called MPI_... are
/// ours, note the call, and call PMPI_..., which tests call themselves. And a fault, where a test asks for one.
namespace rma_calls {

struct book {
    std::map<std::string, std::size_t> calls{}; // by name, without MPI_
    std::string fails{};                        // the call of this name answers MPI_ERR_OTHER and does nothing
    std::size_t after = 0;                      // so many times it works before
    long windows = 0;                           // made and not freed
    long groups = 0;
    long infos = 0;
    long locks = 0;                            // of one rank, or of all
    std::vector<int> assertions{};             // of fences, in their order
    std::vector<std::pair<int, int>> locked{}; // ranks and types of locks, in their order
    bool lists = false;                        // whether `listed` is kept
    std::vector<std::string> listed{};         // names of calls, in their order
};

book& open();

/// How often a function was called while f ran.
template <class F>
std::size_t during(std::string const& name, F f) {
    auto const before = open().calls[name];
    f();
    return open().calls[name] - before;
}

/// The calls that are made while f runs, in their order.
template <class F>
std::vector<std::string> in_order(F f) {
    open().listed.clear();
    open().lists = true;
    f();
    open().lists = false;
    return open().listed;
}

/// While f runs, a call fails, after it worked so many times.
template <class F>
void failing(std::string const& name, std::size_t after, F f) {
    open().fails = name;
    open().after = after;
    f();
    open().fails.clear();
}

/// A test case that leaves windows, groups, infos or locks behind fails.
struct nothing_left {
    nothing_left() = default;
    nothing_left(nothing_left const&) = delete;
    nothing_left& operator=(nothing_left const&) = delete;
    ~nothing_left();
};

} // namespace rma_calls
