// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/map/options.hpp"

#include <sonde/map.hpp>
#include <sonde/map/suspects.hpp>
#include <sonde/measure/environment.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tools::map {

/// The times of all pairs for one metric and size, in seconds of an iteration.
struct measured_map {
    map_task task;
    std::size_t window; // messages of an iteration of a stream
    sonde::pair_map times;
};

/// Latency in us, or bandwidth in MB/s, of an iteration's time, in 15 digits. These hide the rounding of the conversion
/// from seconds: 19.357, not 19.357000000000003.
double value_of(measured_map const& m, sonde::seconds iteration);

/// "latency of 8 bytes"
std::string title_of(measured_map const& m);

/// All maps, and the places between which they were measured.
struct map_result {
    sonde::environment environment;
    std::vector<std::string> places; // "c5", or "rank 3 (c5)"
    std::vector<int> node_of_place;
    std::vector<measured_map> maps;
};

struct place_pair {
    int from, to;
};

/// Suspects of one map, and its pairs that are worse than expected.
struct map_verdict {
    std::vector<int> groups; // of each place: nodes if places are ranks of several nodes, otherwise by the times
    std::vector<sonde::suspect> suspects;
    std::vector<place_pair> unexpected; // worse than --expect
};

/// `options` has the probability of a false alarm, for all maps together.
std::vector<map_verdict> judge(map_result const& result, map_options const& options);

/// True if nothing is named.
bool passed(std::vector<map_verdict> const& verdicts);

/// "node c5: messages from it and to it take 2.03 times the usual time"
std::string text_of(sonde::suspect const& s, map_result const& result, map_verdict const& verdict);

/// Print the report on stdout: first the suspects, then a summary of the measured pairs.
std::string report_text(map_result const& result, map_options const& options, std::vector<map_verdict> const& verdicts);

} // namespace tools::map
