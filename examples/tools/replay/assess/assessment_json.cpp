// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/assessment_json.hpp"

#include "tools/replay/assess/assessment.hpp"

#include <sonde/json.hpp>

namespace tools::replay {

namespace {

using sonde::json;

json json_of(std::optional<double> const& number) { return number ? json(*number) : json{}; }

json json_of(measured_alternative const& one) {
    json j{{"name", one.name},       {"condition", one.condition},  {"seconds", one.seconds},
           {"speedup", one.speedup}, {"speedup_interval", nullptr}, {"outcome", sonde::to_string(one.outcome)}};
    if (one.interval) j["speedup_interval"] = {one.interval->low, one.interval->high};
    return j;
}

json json_of(assessment const& a) {
    json calls = json::array(), alternatives = json::array();
    for (auto const& c : a.calls) calls.push_back({{"call", c.call}, {"site", c.site}, {"seconds", c.seconds}});
    for (auto const& one : a.alternatives) alternatives.push_back(json_of(one));
    auto const* const best = best_of(a);
    auto const won = can_be_won(a);
    return {{"phase", a.phase},
            {"calls", calls},
            {"ranks", a.ranks},
            {"times", a.times},
            {"application_seconds", a.median_seconds},
            {"application_total_seconds", a.total_seconds},
            {"waiting_seconds", waiting_seconds(a)},
            {"alone_seconds", a.alone_seconds},
            {"bound_seconds", json_of(a.bound_seconds)},
            {"bound_efficiency", json_of(bound_efficiency(a))},
            {"alternatives", alternatives},
            {"best", best == nullptr ? json{} : json(best->name)},
            {"efficiency", efficiency(a)},
            {"winnable_seconds", won.seconds},
            {"winnable_interval_seconds", {won.low, won.high}},
            {"remarks", a.remarks}};
}

} // namespace

std::string assessment_json(assessed_trace const& all) {
    json operations = json::array();
    for (auto const& a : all.operations) operations.push_back(json_of(a));
    json const j{{"type", "assessment"},           {"command", all.command},   {"ranks", all.ranks},
                 {"run_seconds", all.run_seconds}, {"model", all.machine},     {"gain", all.gain},
                 {"confidence", all.confidence},   {"left_out", all.left_out}, {"remarks", all.remarks},
                 {"operations", operations}};
    return sonde::detail::json_line(j) + '\n';
}

} // namespace tools::replay
