// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/json/record.hpp>
#include <sonde/record.hpp>
#include <sonde/report/file.hpp>

#include <string>
#include <utility>

namespace sonde {

namespace detail {

/// The JSON in one line. Bytes that are not UTF-8 (in a command line) are replaced by U+FFFD: JSON cannot contain them.
inline std::string json_line(json const& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

} // namespace detail

/// Reporter: all members of every record in JSON Lines, an object per line. A line is written completely when the call
/// returns, so that a job that is killed leaves what it measured.
///
/// The first line is the environment, if it is given; "devices" has one for each rank, if ranks use any:
///
///     {"type": "environment", "sonde_version", "compiler", "build", "command_line", "communication_library",
///      "hosts": [..], "ranks_per_host": [..], "host_of_rank": [..], "bindings": [..], "devices": [..]}
///
/// Then each record is a line:
///
///     {"type": "record", "name", "parameters": {name: text or number}, "total": {"bytes", "messages", "hops",
///      "bus_factor"}, "ranks", "initiators", "batch", "over_ranks_seconds": {"min", "mean", "max"}, "first_seconds",
///      "clock_seconds": {"cost", "resolution", "bias"}, "stop": {"reason", "samples"}, "flags": {"timer_limited",
///      "skew_dominated", "clock_drift"}, "errors", "slowest_counts": [..], "series_seconds": [..]}
///
/// followed, if the record has them, by "overflow": {"buckets": [[index, count], ..], "sum", "max", "min"},
/// "sample_means_seconds": [..], "global": {"series_seconds": [..], "entry_skews_seconds": [..],
/// "exit_skews_seconds": [..], "late_samples", "error_bound_seconds", "deviation_seconds"}, "rank_means_seconds": [..].
///
/// The meaning is that of the members of `record` and `environment`. A missing value is null, and so is a time that is
/// not finite; all other numbers are read back exactly (`read_json_lines`).
class json_lines {
public:
    explicit json_lines(output_file out) : out_{std::move(out)} {}
    json_lines(output_file out, environment const& e) : out_{std::move(out)} { out_.line(detail::json_line(e)); }

    void operator()(record const& r) { out_.line(detail::json_line(r)); }

private:
    output_file out_;
};

} // namespace sonde
