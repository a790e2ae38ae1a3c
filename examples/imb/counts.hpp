// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "options.hpp"

#include <sonde/time.hpp>

#include <cstddef>
#include <vector>

namespace imb {

// Numbers of repetitions: functions of numbers alone, in 64 bits.

/// What counts follow from, of a benchmark with so many processes in one mode.
struct count_rules {
    iterations iter;
    policy by = policy::dynamic; // never `automatic`
    sonde::seconds time{10};     // of a measured run
    int max_log = 22;
    std::size_t ranks = 2;
    std::size_t estimated = 1000; // repetitions that an estimate runs at most
    bool nonaggregate = false;    // at most the third of -iter
    bool sized = true;            // no: the count does not follow from a size
    bool users_sizes = false;     // they may shrink, and counts grow
};

/// The policy of a benchmark: `auto` is by number of processes for rooted ones.
policy policy_of(policy asked, bool rooted);

/// `-iter_policy multiple_np`: a multiple of the ranks, and less the more bytes all of them send.
std::size_t multiple_of_ranks(count_rules const& rules, std::size_t bytes);

/// For how long a benchmark in one mode may go on over its sizes: seconds per size.
sonde::seconds time_out(options const& asked);

/// Repetitions without a clock before those that are reported.
std::size_t warm_up_count(std::size_t n);

/// The counts of a table's sizes: each depends on those before.
class counts {
public:
    explicit counts(count_rules const& rules) : rules_{rules}, previous_{rules.iter.messages} {}

    /// Does a count follow from how long repetitions take?
    bool estimates() const { return rules_.by == policy::dynamic; }
    /// As many as a size gets at most; where nothing is estimated, the count.
    std::size_t most(std::size_t bytes) const;
    /// How many repetitions to estimate with, after one took `once`: about a second's worth.
    std::size_t tried(std::size_t bytes, sonde::seconds once) const;
    /// How many the time allows, of which each takes `t`.
    std::size_t within_time(std::size_t bytes, sonde::seconds t) const;
    /// A size got n.
    void took(std::size_t bytes, std::size_t n);

private:
    struct taken {
        std::size_t bytes;
        std::size_t n;
    };
    std::size_t candidate(std::size_t bytes) const;

    count_rules rules_;
    std::size_t previous_;
    std::vector<taken> before_;
};

} // namespace imb
