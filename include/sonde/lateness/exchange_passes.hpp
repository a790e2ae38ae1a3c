// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

/// A pass of an exchange on one rank, on the global clock.
struct exchange_pass {
    seconds entry{};      // begin of the pass
    seconds exit{};       // end of the pass
    bool present = false; // false if the rank took no part
    /// Time before the entry from which on no partner waits for this rank, because it has sent: as of a message that is
    /// sent before work, and completed after it. Not before the rank's previous exit.
    seconds ahead{};

    /// From when on no partner waits for this rank.
    seconds ready() const { return entry - ahead; }
};

/// An exchange of a loop: a scope that ranks pass together.
struct exchange_scope {
    std::string name; // of the scope
    /// For each rank, the ranks whose entry it waits for; an empty list stands for all ranks. An empty vector: all
    /// ranks wait for all ranks.
    std::vector<std::vector<int>> partners{};
    /// Passes of each rank since its probe was made, 0 without the exchange; empty if they are not known.
    std::vector<std::size_t> passes{};
};

/// A step: the n-th pass of an exchange on all ranks.
struct exchange_step {
    std::size_t exchange; // index of the scope
    std::size_t number;   // of the pass among the passes of its scope, from 0
};

/// The latest steps of a loop on all ranks, in the order in which each rank passed them.
struct exchange_passes {
    int ranks = 0;                           // number of ranks
    std::vector<exchange_scope> exchanges{}; // of the loop
    std::vector<std::string> works{};        // names of the scopes of work
    std::vector<exchange_step> steps{};      // in their order
    std::vector<exchange_pass> passes{};     // of step s on rank r: passes[s * ranks + r]
    /// Time of rank r in scope w between the previous step in which it took part and step s:
    /// work_times[(s * ranks + r) * works.size() + w].
    std::vector<seconds> work_times{};
    bool oversubscribed = false; // more ranks than processors share a binding: transfers wait for a processor
    seconds clock_error{};       // bound of the error of a difference of two ranks' times

    /// The pass of the rank in the step.
    exchange_pass const& pass(std::size_t step, int rank) const {
        return passes[step * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(rank)];
    }
    /// Time of the rank in a scope of work before the step.
    seconds work_time(std::size_t step, int rank, std::size_t work) const {
        return work_times[(step * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(rank)) * works.size() +
                          work];
    }
};

} // namespace sonde
