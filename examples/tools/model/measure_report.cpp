// SPDX-License-Identifier: BSL-1.0
#include "measure_report.hpp"

#include <sonde/json/json_lines.hpp>
#include <sonde/metrics.hpp>
#include <sonde/report.hpp>
#include <sonde/report/table.hpp>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::model {

namespace {

using sonde::column;
using sonde::record;

/// Of what has a response as long as the message.
std::optional<sonde::seconds> one_way(record const& r) {
    return r.point.name == "round_trips" ? std::nullopt : std::optional{sonde::latency(r)};
}

std::optional<sonde::seconds> began_apart(record const& r) {
    if (!r.global) return std::nullopt;
    return sonde::median(sonde::detail::as_span(r.global->entry_skews));
}

std::vector<column> columns() {
    return {{"median us", [](record const& r) { return sonde::median(r); }, 3},
            {"median 95 % interval", [](record const& r) { return sonde::median_interval(r); }, 3},
            column{"one way us", one_way, 3}.hidden_if_empty(),
            column{"MB/s", [](record const& r) { return sonde::bandwidth(r) / 1e6; }},
            {"batch", [](record const& r) { return r.batch; }},
            {"samples", [](record const& r) { return r.stop.samples; }},
            {"stopped by", [](record const& r) { return std::string{name(r.stop.reason)}; }},
            column{"began apart us", began_apart, 3}.hidden_if_empty(),
            {"flags", [](record const& r) { return sonde::to_string(r.flags); }}};
}

bool holds_something(std::string const& path) {
    return std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) != 0;
}

} // namespace

sonde::progress_line<std::function<void(record const&)>>
open_reports(measure_request const& asked, sonde::environment const& where, std::size_t records) {
    std::function<void(record const&)> report = sonde::table{stdout, columns()};
    if (holds_something(asked.out)) throw std::runtime_error{"'" + asked.out + "' exists: remove it, or name another"};
    if (!asked.out.empty()) report = sonde::tee(std::move(report), sonde::json_lines{asked.out, where});
    return sonde::progress_line{records, std::move(report)};
}

} // namespace tools::model
