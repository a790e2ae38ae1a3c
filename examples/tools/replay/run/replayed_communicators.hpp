// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <mpi.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tools::replay {

/// The communicators of a trace, made anew. Construction and destruction are collective over all ranks.
class replayed_communicators {
public:
    replayed_communicators(program const& calls, thread_trace const& own);
    ~replayed_communicators();
    replayed_communicators(replayed_communicators const&) = delete;
    replayed_communicators& operator=(replayed_communicators const&) = delete;

    MPI_Comm of(communicator const& c) const { return made_.at(c.text); }
    /// The communicator with its topology as a graph, without neighbors that are MPI_PROC_NULL.
    MPI_Comm with_neighbors(communicator const& c) const { return graphs_.at(c.text); }
    /// The neighbors as the trace has them: the number of sources, the sources, the destinations.
    std::vector<std::int64_t> const& neighbors(communicator const& c) const { return neighbors_.at(c.text); }

private:
    void find_neighbors(std::vector<step> const& body, thread_trace const& own);

    std::map<std::string, MPI_Comm> made_, graphs_;
    std::map<std::string, std::vector<std::int64_t>> neighbors_;
};

} // namespace tools::replay
