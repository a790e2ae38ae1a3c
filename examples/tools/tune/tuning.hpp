// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/candidates.hpp"
#include "tools/tune/race.hpp"
#include "tools/tune/tuned_job.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tools::tune {

/// Command line of `sonde-tune`.
struct tune_options {
    std::vector<std::string> command;
    race_criteria criteria;
    tuned_part part = tuned_part::all;
    std::set<std::string> collectives{};
    std::optional<sonde::seconds> budget{}; // of all launches
    std::optional<sonde::seconds> limit{};  // of one launch
    std::uint64_t seed = 1;                 // of the order of launches
    std::string out{};                      // file of settings
    std::string records{};
    std::string plot{};     // picture of the race
    std::string settings{}; // list of control variables; empty: the library is asked
    std::string check{};    // file of settings that is measured
};

/// Rows of the program with the default settings, and launches of it with others, in turns.
class series {
public:
    /// Launches the program once, with the default settings. Throws std::runtime_error if that fails.
    explicit series(tune_options const& options);

    std::vector<tuned_row> const& rows() const { return rows_; }
    sonde::seconds elapsed() const;
    sonde::seconds launch_time() const { return launch_time_; } // mean of all so far
    /// Time left for launches; empty without a budget.
    std::optional<sonde::seconds> left() const;

    /// Launch each racer that is racing once more, in random order, in its environment; racer 0 is the default. A racer
    /// whose launch fails leaves the race, and the default is launched once more instead: throws std::runtime_error if
    /// that fails, too.
    void round(std::vector<racer>& all, std::vector<environment_words> const& environments);

    /// Largest resolution of the clock, relative to a row's time, at least 0.1 %.
    double resolution() const { return resolution_; }

    job& program() { return job_; }

private:
    std::string add_launch(racer& to, environment_words const& words);
    std::size_t random_below(std::size_t n);

    tune_options const& options_;
    job job_;
    std::vector<tuned_row> rows_{};
    double resolution_ = 1e-3;
    sonde::seconds begin_{}, launch_time_{};
    std::size_t launches_ = 0;
    std::uint64_t random_;
};

/// Result of a race: the candidates, and what became of each.
struct race_result {
    std::vector<candidate> candidates;
    std::vector<racer> racers; // one more: the default is the first
    std::size_t rounds = 0;
};

} // namespace tools::tune
