// SPDX-License-Identifier: BSL-1.0
#include "side.hpp"

#include "collect.hpp"
#include "differences.hpp"
#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tools {

namespace {

bool has_times(sonde::record const& r) {
    return !r.series.empty() &&
           std::all_of(r.series.begin(), r.series.end(), [](sonde::seconds t) { return std::isfinite(t.count()); });
}

std::string ended_badly(side const& s, sonde::run_file const& run) {
    return s.path + ": launch " + std::to_string(run.launch->number) + " ended with " + run.launch->outcome + "; its " +
           counted(run.records.size(), "record") + (run.records.size() == 1 ? " counts" : " count");
}

} // namespace

std::string counted(std::size_t n, std::string const& noun) {
    auto const plural = noun.ends_with("ch") ? "es" : "s";
    return std::to_string(n) + ' ' + noun + (n == 1 ? "" : plural);
}

side read_side(std::string const& path) {
    side s{path, read_runs(path)};
    std::size_t records = 0;
    for (auto const& run : s.runs)
        for (auto const& r : run.records) {
            ++records;
            if (!has_times(r))
                throw std::runtime_error{path + ": a record without times: " + name_of({r.point, 1, {}, {}})};
        }
    if (records == 0) throw std::runtime_error{path + ": holds no record"};
    return s;
}

std::vector<std::string> remarks(side const& s) {
    std::vector<std::string> said;
    for (auto const& run : s.runs)
        if (run.launch && run.launch->outcome != "exit status 0") said.push_back(ended_badly(s, run));
    if (std::any_of(s.runs.begin(), s.runs.end(), [](auto const& r) { return !r.environment && !r.records.empty(); }))
        said.push_back(s.path + ": records without an environment: that it was the same cannot be checked");
    for (auto const& run : s.runs)
        if (auto const rank = floating_rank(run)) {
            said.push_back(s.path + ": ranks may move between processors (" + *rank +
                           "), which alone spreads launches: bind them");
            break;
        }
    if (s.runs.size() == 1)
        said.push_back(s.path +
                       ": a single launch: its intervals are within this launch and say nothing of the next one");
    return said;
}

} // namespace tools
