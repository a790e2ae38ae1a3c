// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/loop_waiting.hpp"

#include "tools/replay/run/replay_phases.hpp"
#include "tools/replay/waiting/exchange_times.hpp"

#include <sonde/lateness/delay_costs.hpp>
#include <sonde/lateness/find_lateness.hpp>

#include <algorithm>
#include <numeric>

namespace tools::replay {

namespace {

/// Why the calls of the ranks cannot be compared in time; empty if they can.
std::string fault_of(trace const& t) {
    if (!t.remarks.empty()) return "the trace is cut";
    if (t.about.ranks < 2) return "there is one rank";
    for (std::size_t i = 0; i != t.threads.size(); ++i) {
        if (t.threads[i].thread != 0) return "ranks call MPI from several threads";
        if (t.threads[i].rank != static_cast<int>(i)) return "not all ranks are recorded";
        if (t.threads[i].dropped != 0) return "calls are missing";
    }
    return t.threads.size() == static_cast<std::size_t>(t.about.ranks) ? "" : "not all ranks are recorded";
}

/// The phase of a profile that a loop of rank 0 is.
std::size_t phase_with(trace const& t, step const* first) {
    std::size_t phase = 0;
    for (auto const& s : t.programs[t.threads[0].program].body) {
        if (s.is_loop()) ++phase;
        if (s.is_loop() && &s.body.front() == first) return phase;
    }
    return 0;
}

/// The pattern by which a rank waits in a step: that of the partner that is ready last before the rank leaves.
wait_pattern pattern_of(exchange_times const& times, std::size_t step, pass_exchange const& e, int rank) {
    auto const& part = e.ranks.at(rank);
    if (part.awaits_all) return e.of_all;
    auto found = wait_pattern::late_sender; // of a partner's partner
    auto const& own = times.passes.pass(step, rank);
    auto latest = own.entry;
    for (auto const& [other, pattern] : part.partners) {
        auto const& theirs = times.passes.pass(step, other);
        if (!theirs.present || other == rank || own.exit < theirs.ready() || theirs.ready() <= latest) continue;
        latest = theirs.ready();
        found = pattern;
    }
    return found;
}

void add_times(exchange_times const& times, sonde::delay_costs const& costs, std::vector<site_waiting>& sites) {
    for (std::size_t s = 0; s != times.passes.steps.size(); ++s) {
        auto& site = sites[times.passes.steps[s].exchange];
        auto const& exchange = times.of_pass[s % times.of_pass.size()];
        for (auto const& [rank, part] : exchange.ranks) {
            if (!costs.counted(s, rank)) continue;
            auto const waited = costs.waiting(s, rank);
            site.time += waited + costs.transfer(s, rank);
            if (sonde::seconds{} < waited)
                site.waiting[static_cast<std::size_t>(pattern_of(times, s, exchange, rank))] += waited;
        }
    }
}

/// The waiting that each rank caused is divided among the exchanges in proportion to its delays before them and in
/// them.
void add_caused(exchange_times const& times, sonde::delay_costs const& costs, std::vector<site_waiting>& sites) {
    for (int rank = 0; rank != times.passes.ranks; ++rank) {
        std::vector<sonde::seconds> work(sites.size()), transfer(sites.size());
        for (std::size_t s = 0; s != times.passes.steps.size(); ++s) {
            if (!costs.counted(s, rank)) continue;
            auto const exchange = times.passes.steps[s].exchange;
            work[exchange] += std::max(costs.work_excess(s, rank), sonde::seconds{});
            transfer[exchange] += std::max(costs.transfer_excess(s, rank), sonde::seconds{});
        }
        auto const divide = [&](sonde::seconds caused, std::vector<sonde::seconds> const& delays) {
            auto const sum = std::accumulate(delays.begin(), delays.end(), sonde::seconds{});
            for (std::size_t i = 0; sonde::seconds{} < sum && i != sites.size(); ++i)
                sites[i].caused += delays[i] / sum * caused;
        };
        divide(costs.caused_by_work(rank), work);
        divide(costs.caused_by_transfer(rank), transfer);
    }
}

std::vector<site_waiting> sites_of(exchange_times const& times) {
    sonde::delay_costs const costs{times.passes};
    std::vector<site_waiting> sites;
    for (auto const& [call, site] : times.sites) sites.push_back({.call = call, .site = site});
    add_times(times, costs, sites);
    add_caused(times, costs, sites);
    std::stable_sort(sites.begin(), sites.end(),
                     [](auto const& a, auto const& b) { return b.all_waiting() < a.all_waiting(); });
    return sites;
}

} // namespace

sonde::seconds site_waiting::all_waiting() const {
    return std::accumulate(waiting.begin(), waiting.end(), sonde::seconds{});
}

trace_waiting waiting_of(trace const& t) {
    trace_waiting found{.loops = {}, .fault = fault_of(t)};
    if (!found.fault.empty()) return found;
    for (auto const& phase : complete_loops_of(t)) {
        auto const times = exchange_times_of(t, phase);
        found.loops.push_back({phase_with(t, phase.steps[0].front()), phase.passes, times.kept, sites_of(times),
                               sonde::find_lateness(times.passes)});
    }
    if (found.loops.empty())
        found.fault = "no loop of all ranks, with its messages sent and received in it, takes a hundredth of the time";
    return found;
}

} // namespace tools::replay
