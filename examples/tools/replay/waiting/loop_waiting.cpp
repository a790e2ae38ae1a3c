// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/loop_waiting.hpp"

#include "tools/replay/run/replay_phases.hpp"
#include "tools/replay/waiting/timed_passes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

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

/// Sums over the calls of a function at a call site.
class site_sums {
public:
    explicit site_sums(std::vector<call_place> const& places) : places_{places} {}

    void add(timed_block const& block, block_waiting const& found) {
        for (std::size_t rank = 0; rank != block.size(); ++rank)
            for (std::size_t i = 0; i != block[rank].size(); ++i) {
                auto& site = at(block[rank][i].place);
                site.seconds += block[rank][i].end - block[rank][i].begin;
                if (auto const& state = found.states[rank][i])
                    site.waiting[static_cast<std::size_t>(state.cause.pattern)] += state.seconds;
            }
        for (auto const& [source, seconds] : found.charged)
            if (source.rank >= 0) at(source.place).charged += seconds;
    }

    std::vector<site_waiting> sorted() {
        std::vector<site_waiting> found;
        for (auto& [key, site] : all_) found.push_back(std::move(site));
        std::stable_sort(found.begin(), found.end(),
                         [](auto const& a, auto const& b) { return a.all_waiting() > b.all_waiting(); });
        return found;
    }

private:
    site_waiting& at(std::size_t place) {
        auto const& of = places_[place];
        return all_.try_emplace({of.site, of.call}, site_waiting{of.call, of.site}).first->second;
    }

    std::vector<call_place> const& places_;
    std::map<std::pair<std::string, std::string>, site_waiting> all_;
};

/// Times of a delay's interval on each rank that has it.
std::map<int, std::vector<double>> times_of(timed_loop const& loop, std::vector<block_waiting> const& found,
                                            delay_source const& source) {
    std::map<int, std::vector<double>> times;
    for (std::size_t b = 0; b != loop.blocks.size(); ++b)
        for (std::size_t rank = 0; rank != loop.blocks[b].size(); ++rank)
            for (std::size_t i = 0; i != loop.blocks[b][rank].size(); ++i) {
                auto const& c = loop.blocks[b][rank][i];
                if (c.place != source.place) continue;
                auto const transfer = c.end - c.begin - found[b].states[rank][i].seconds;
                times[static_cast<int>(rank)].push_back(source.kind == delay_kind::computation ? c.think : transfer);
            }
    return times;
}

double mean_of(std::vector<double> const& all) {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

late_cause cause_of(rank_charge const& charge, timed_loop const& loop, std::vector<block_waiting> const& found) {
    auto times = times_of(loop, found, charge.most);
    std::vector<double> means, medians;
    for (auto& [rank, own] : times) {
        means.push_back(mean_of(own));
        medians.push_back(lower_median(own));
    }
    auto const& own = times.at(charge.rank);
    late_cause cause{charge, loop.places[charge.most.place], mean_of(own), lower_median(means)};
    cause.is_steady = lower_median(own) - lower_median(medians) >= (cause.seconds - cause.median) / 2;
    return cause;
}

/// The error of a difference of two ranks' clocks at most.
double largest_error(std::vector<double> errors) {
    std::sort(errors.rbegin(), errors.rend());
    return errors[0] + errors[1];
}

loop_waiting waiting_in(trace const& t, replay_phase const& phase) {
    auto const loop = timed_loop_of(t, phase);
    loop_waiting found{.phase = phase_with(t, phase.steps[0].front()), .passes = phase.passes, .kept = loop.passes};
    found.fault = loop.fault;
    if (!found.fault.empty()) return found;
    found.error = largest_error(loop.errors);
    found.left_out = loop.left_out;
    std::vector<block_waiting> blocks;
    site_sums sites{loop.places};
    for (auto const& block : loop.blocks) {
        blocks.push_back(delay_costs(block, loop.errors));
        sites.add(block, blocks.back());
        found.seconds += blocks.back().seconds;
        found.waiting += blocks.back().waiting;
    }
    found.sites = sites.sorted();
    for (auto const kind : {delay_kind::computation, delay_kind::transfer}) {
        for (auto const& charge : charges_of(blocks, t.about.ranks, kind)) found.charges.push_back(charge);
        if (!found.late.empty()) continue; // transfers are looked at if nobody works longer
        for (auto const& late : late_ranks(blocks, t.about.ranks, kind))
            found.late.push_back(cause_of(late, loop, blocks));
    }
    std::stable_sort(found.charges.begin(), found.charges.end(),
                     [](auto const& a, auto const& b) { return a.seconds > b.seconds; });
    found.has_enough_blocks = has_enough_blocks(blocks.size(), t.about.ranks);
    for (auto const& charge : found.charges) found.charged += charge.seconds;
    return found;
}

} // namespace

double site_waiting::all_waiting() const { return std::accumulate(waiting.begin(), waiting.end(), 0.0); }

trace_waiting waiting_of(trace const& t) {
    trace_waiting found{.loops = {}, .fault = fault_of(t)};
    if (!found.fault.empty()) return found;
    for (auto const& phase : complete_loops_of(t)) found.loops.push_back(waiting_in(t, phase));
    if (found.loops.empty())
        found.fault = "no loop of all ranks, with its messages sent and received in it, takes a hundredth of the time";
    return found;
}

} // namespace tools::replay
