// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/json/environment.hpp>
#include <sonde/json/record.hpp>
#include <sonde/json/values.hpp>
#include <sonde/record.hpp>
#include <sonde/report/file.hpp>

#include <string>
#include <utility>

namespace sonde {

namespace detail {

/// In one line; bytes that are no UTF-8 (in a command line) are replaced, since JSON cannot hold them.
inline std::string one_line(json const& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

} // namespace detail

/// All of every record: a JSON object a line, whole when the call returns, so a killed job leaves what it measured.
///
/// The first line is the environment, where one is given:
///
///     {"type": "environment", "sonde_version", "compiler", "build", "command_line", "communication_library",
///      "hosts": [..], "ranks_per_host": [..], "host_of_rank": [..], "bindings": [..]}
///
/// with "devices": [..], one of each rank, where ranks use any,
/// and then one line for each record; what is missing is null, and so is a time that is no number:
///
///     {"type": "record", "name", "parameters": {name: text or number}, "total": {"bytes", "messages", "legs", "bus"},
///      "ranks", "initiators", "batch", "over_ranks_seconds": {"min", "mean", "max"}, "first_seconds",
///      "timer_seconds": {"cost", "quantum", "bias"}, "stopped": {"reason", "samples"}, "flags": {"timer_limited",
///      "skew_dominated", "clock_drift"}, "errors", "slowest": [..], "series_seconds": [..]}
///
/// and where there are such "rest": {"buckets": [[number, count], ..], "sum", "longest", "shortest"},
/// "sample_means_seconds", "rank_means_seconds", "global": {"series_seconds", "entry_skews_seconds",
/// "exit_skews_seconds", "redone", "bound_seconds", "drift_seconds"}.
///
/// They mean what they mean in `record` and `environment`; every number reads back as the same (`read_json_lines`).
class json_lines {
public:
    explicit json_lines(output_file out) : out_{std::move(out)} {}
    json_lines(output_file out, environment const& e) : out_{std::move(out)} { out_.line(detail::one_line(e)); }

    void operator()(record const& r) { out_.line(detail::one_line(r)); }

private:
    output_file out_;
};

} // namespace sonde
