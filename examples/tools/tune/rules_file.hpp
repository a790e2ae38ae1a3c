// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/candidates.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::tune {

/// Algorithm of a collective for messages of a size and longer ones.
struct size_rule {
    double bytes = 0; // as the program counts them
    int algorithm = 0;
    std::size_t segment = 0;
    std::string evidence{}; // of the size, a comment
};

/// Rules of a collective on communicators of one size.
struct collective_rules {
    std::string collective;
    std::size_t ranks = 0;
    int otherwise = 0;              // algorithm for other sizes; 0 for the library's decision
    std::vector<size_rule> rules{}; // by ascending size
};

/// Settings that were found, and rules by size.
struct tuned_settings {
    std::vector<setting> settings{};
    std::vector<collective_rules> rules{};

    bool empty() const { return settings.empty() && rules.empty(); }
};

/// Number of a collective in a file of dynamic rules of Open MPI; empty for others, such as "iallreduce".
std::optional<int> collective_number(std::string const& collective);

/// The size by which Open MPI looks a rule up: the bytes of all ranks for collectives whose size is a block of each
/// rank, such as allgather and alltoall; 0 for a barrier and for an alltoallv, whose sizes it does not look at.
double size_in_rules(std::string const& collective, double bytes, std::size_t ranks);

/// Dynamic rules of Open MPI (`coll_tuned_dynamic_rules_filename`): for each collective the sizes of communicators, for
/// each of these lines of message size, algorithm, fan-out and segment size. Rules end at twice the longest message
/// that was measured, and hold for communicators of that size alone: smaller and larger ones, which the library
/// would otherwise treat alike, get the algorithm of `otherwise`.
std::string rules_text(std::vector<collective_rules> const& all);

/// Settings as lines: "btl_vader_eager_limit = 65536" of a parameter file of Open MPI, "export MPIR_CVAR_..=ring" for
/// another library.
std::string settings_text(std::vector<setting> const& settings, mpi_library library);

/// The settings that use a file of rules. Open MPI 4.1 reads the file only if the switch is on.
std::vector<setting> settings_for_rules(std::string const& rules_path);

/// All settings, those that use the rules included. A rule of algorithm 0 leaves the decision to the variable of the
/// collective: it is reset to 0, the library's decision, if it forces an algorithm now.
std::vector<setting> all_settings(tuned_settings const& tuned, std::string const& rules_path);

} // namespace tools::tune
