// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/rank_state.hpp"

#include <cstdint>
#include <string>
#include <vector>

// Parts of sentences about ranks.

namespace tools::replay {

/// "1,204"
std::string grouped_number(std::uint64_t n);
/// "rank 5", "ranks 0-3,7"
std::string rank_names(std::vector<int> const& ranks);
/// "7 of 8 ranks (0-4,6,7)", "rank 5"
std::string share_of_ranks(std::vector<int> const& ranks, std::size_t all);
/// "MPI_COMM_WORLD", "communicator 0-3#1", "window 0-7"
std::string object_name(shown_call const& call, int size);
/// "Allreduce no. 1,204 of MPI_COMM_WORLD at solver.cpp:88", "Recv from rank 2, tag 7, at io.cpp:12"
std::string call_text(shown_call const& call, int size);
/// "Bcast with root 3"; of a message its partners and tags.
std::string arguments_text(shown_call const& call);
/// "in exchange `step/halo`, pass 412, for 4.1 s": where the application's probes say that ranks are, which are in the
/// same scopes; empty for none.
std::string scope_text(std::vector<rank_state const*> const& ranks);
/// "has not been in MPI for 4.1 s and computes (99 % of a core), in scope `relax`, pass 41, for 4.2 s, after Barrier
/// ..."
std::string outside_text(rank_state const& s);
/// "is in Barrier no. 3 of ...", in its scope, "is stopped", "goes on"
std::string activity_text(rank_state const& s);
/// "4.1 s", "12 min"
std::string duration_text(double seconds);

} // namespace tools::replay
