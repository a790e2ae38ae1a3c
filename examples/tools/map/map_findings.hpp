// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/map/sonde_map.hpp"

#include <string>
#include <vector>

namespace tools::map {

/// Latency in us, or bandwidth in MB/s, of an iteration's time, in 15 digits. These hide the rounding of the conversion
/// from seconds: 19.357, not 19.357000000000003.
double value_of(measured_map const& m, sonde::seconds iteration);

/// "latency of 8 bytes"
std::string title_of(measured_map const& m);

/// Suspects of each map, with the probability of a false alarm for all maps together that `options` has.
std::vector<map_findings> evaluate(map_result const& result, map_options const& options);

/// True if nothing is named.
bool nothing_found(std::vector<map_findings> const& findings);

/// True unless --check-bits found a wrong bit.
bool bits_are_right(map_result const& result);

/// True unless another device than the one of --expect-device carried the messages.
bool device_is_right(map_result const& result);

/// "node c5: messages from it and to it take 2.03 times the usual time"
std::string text_of(sonde::suspect const& s, map_result const& result, map_findings const& of);

/// A line for each map in which even the best pairs of some places, at most half of them, take twice as long as the
/// best pairs of most places, or longer: "even the best pairs of c3, c4 take 10.00 times as long as those of most
/// places". It says what was seen: if two of five places are slow, most pairs are, and no test of a pair against most
/// pairs finds them, while a place may also be slow at best because all others are far away.
std::vector<std::string> slow_at_best(map_result const& result);

/// Report: first the suspects, then a summary of the measured pairs.
std::string report_text(map_result const& result, map_options const& options,
                        std::vector<map_findings> const& findings);

} // namespace tools::map
