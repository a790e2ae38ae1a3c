// SPDX-License-Identifier: BSL-1.0
#include "tools/map/map_nagios.hpp"

#include "tools/map/map_findings.hpp"
#include "tools/map/sonde_map.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tools::map {

namespace {

bool is_latency(measured_map const& m) { return m.task.metric == map_metric::latency; }

/// "c5 -> c7: latency of 8 bytes is 4.10 us, expected 2.5"
std::string unexpected_text(place_pair p, measured_map const& m, map_result const& result, map_options const& options) {
    auto const name = [&](int place) { return result.places[static_cast<std::size_t>(place)]; };
    return name(p.from) + " -> " + name(p.to) + ": " + title_of(m) + " is " +
           sonde::detail::fixed(value_of(m, m.times.median.at(p.from, p.to)), 2) +
           (is_latency(m) ? " us, expected " : " MB/s, expected ") +
           sonde::detail::shortest(is_latency(m) ? *options.max_latency : *options.min_bandwidth);
}

/// What is named, in one line each: first another device, wrong bits, then the pairs that are worse than --expect, then
/// what is slowest of all maps.
std::vector<std::string> named(map_result const& result, map_options const& options,
                               std::vector<map_findings> const& findings) {
    std::vector<std::string> all;
    if (!device_is_right(result)) all.push_back(*result.transport->unexpected);
    if (!bits_are_right(result)) all.push_back(result.bits->sentence);
    for (std::size_t i = 0; i != findings.size(); ++i)
        for (auto const p : findings[i].unexpected) all.push_back(unexpected_text(p, result.maps[i], result, options));
    std::vector<std::pair<double, std::string>> suspects;
    for (std::size_t i = 0; i != findings.size(); ++i)
        for (auto const& s : findings[i].suspects)
            suspects.emplace_back(s.factor, text_of(s, result, findings[i]) + ", by " + title_of(result.maps[i]));
    std::stable_sort(suspects.begin(), suspects.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
    for (auto& [factor, text] : suspects) all.push_back(std::move(text));
    return all;
}

/// Value of the worst pair with the threshold of --expect: " 'latency_8'=1.412us;;2.5". No unit for MB/s, which the
/// guidelines do not have.
std::string performance_data(measured_map const& m, map_options const& options) {
    sonde::seconds worst{0};
    for (auto const t : m.times.median.times)
        if (t > worst) worst = t;
    if (!(worst > sonde::seconds{0})) return {};
    auto const expected = is_latency(m) ? options.max_latency : options.min_bandwidth;
    auto const label = (is_latency(m) ? "latency_" : "bandwidth_MBps_") + std::to_string(m.task.bytes);
    return " '" + label + "'=" + sonde::detail::fixed(value_of(m, worst), 3) + (is_latency(m) ? "us" : "") +
           (expected ? ";;" + sonde::detail::shortest(*expected) + (is_latency(m) ? "" : ":") : "");
}

} // namespace

std::string nagios_line(nagios_status status, std::string text, std::string const& data) {
    constexpr char const* words[] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};
    for (char& c : text)
        if (c == '|' || c == '\n') c = ' '; // "|" begins the performance data
    return std::string{words[static_cast<std::size_t>(status)]} + " - " + text + (data.empty() ? "" : " |" + data) +
           '\n';
}

nagios_report nagios_report_of(map_result const& result, map_options const& options,
                               std::vector<map_findings> const& findings) {
    auto status = nothing_found(findings) ? nagios_status::ok : nagios_status::warning;
    for (auto const& v : findings)
        if (!v.unexpected.empty()) status = nagios_status::critical;
    if (!bits_are_right(result) || !device_is_right(result)) status = nagios_status::critical;
    auto text = std::to_string(result.places.size()) + (options.per == place_kind::node ? " nodes, " : " ranks, ");
    auto const all = named(result, options, findings);
    auto const seen = all.empty() ? slow_at_best(result) : std::vector<std::string>{};
    text += !all.empty()   ? all.front()
            : seen.empty() ? "nothing is slower than most"
                           : "nothing is named, but " + seen.front();
    if (all.size() > 1) text += "; and " + std::to_string(all.size() - 1) + " more";
    if (result.bits && bits_are_right(result))
        text += "; no wrong bit in " + std::to_string(result.bits->found.checked) + " messages";
    std::string data;
    for (auto const& m : result.maps) data += performance_data(m, options);
    return {status, nagios_line(status, text, data)};
}

} // namespace tools::map
