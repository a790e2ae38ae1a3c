// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/candidates.hpp"
#include "tools/tune/race.hpp"
#include "tools/tune/rules_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tools::tune {

/// Row of the measured program.
struct tuned_row {
    std::string name;              // "osu_allreduce bytes=8 datatype=MPI_CHAR"
    std::string collective{};      // "allreduce" if the row times a collective of this name; otherwise empty
    std::optional<double> bytes{}; // of a message
    std::size_t ranks = 0;
    std::vector<std::string> parts{}; // of the name: "osu_allreduce", "bytes=8", ..
};

/// Choose settings from a race. `candidates[i]` is racer i + 1. For Open MPI, the algorithms of a collective whose rows
/// have sizes are chosen for each size, and become rules. All others are chosen for the whole program: for each
/// variable the best value in all rows. `all` has the present values, which rules keep for other sizes.
tuned_settings choose(std::vector<candidate> const& candidates, std::vector<tuned_row> const& rows,
                      std::vector<std::vector<gain>> const& gains, library_settings const& all,
                      race_criteria const& criteria);

/// The settings that a confirmation leaves: none if no row is faster, or if a row is slower with settings of the whole
/// program, and without rules for sizes whose rows are not faster. The rules get their evidence.
tuned_settings confirmed_settings(tuned_settings chosen, std::vector<tuned_row> const& rows,
                                  std::vector<confirmed_row> const& confirmed);

/// "1.84 times as fast [1.80, 1.91], p 0.0022"
std::string evidence_of(confirmed_row const& r);

} // namespace tools::tune
