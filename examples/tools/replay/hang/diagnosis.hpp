// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/rank_state.hpp"

#include <string>
#include <vector>

namespace tools::replay {

/// What the states of ranks tell. Those from `stopped` on are reasons why others wait.
enum class finding_kind : unsigned char {
    group,          // ranks that do the same
    no_page,        // ranks of which nothing is known
    stopped,        // a process that is stopped
    ended,          // a process that ended without MPI_Finalize
    mismatch,       // calls of one collective that differ
    skipped,        // a rank that does not call a collective that others wait in
    cycle,          // ranks that wait for each other
    never_sent,     // a receive whose sender waits for the receiver
    not_sent,       // a receive whose sender has not come yet
    never_received, // a send whose receiver waits for the sender
    not_received,   // a send whose receiver has not come yet
    computes        // a rank that is in no call of MPI, and for which others wait
};

struct finding {
    finding_kind kind;
    std::vector<int> ranks; // that are odd
    std::string text;       // a sentence
    std::string object{};   // of a mismatch: the communicator or the window
};

/// The findings of states of ranks of one job, which were read twice each: groups first, then reasons. They are empty
/// if all ranks go on.
std::vector<finding> diagnosis_of(std::vector<rank_state> const& states);

} // namespace tools::replay
