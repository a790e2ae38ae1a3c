// SPDX-License-Identifier: BSL-1.0
// The operations of a trace: its collectives, and the exchanges between them.
#include "tools/replay/assess/collect_operations.hpp"

#include "tools/replay/assess/call_order.hpp"
#include "tools/replay/assess/site_operation.hpp"
#include "tools/replay/assess/split_exchange.hpp"
#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tools::replay {

namespace {

/// Sums the times of operations with equal contents.
class operation_sums {
public:
    operation_sums(trace const& t, replay_phase const& phase) : trace_{t}, phase_{phase} {}

    /// `parts`: how often the calls repeat the operation.
    void add(calls_of_ranks const& calls, bool is_collective, std::size_t parts) {
        auto const first = first_part(calls, parts);
        auto const [place, is_new] = places_.try_emplace(contents_of(first), sums_.size());
        if (is_new) {
            auto& made = sums_.emplace_back().operation;
            made.phase = phase_.name;
            made.is_collective = is_collective;
            made.steps = renumbered(first);
        }
        auto& sum = sums_[place->second];
        sum.instances += static_cast<double>(parts);
        for (std::size_t rank = 0; rank != calls.size(); ++rank)
            for (auto const& c : calls[rank])
                if (c.is_timed) add(sum, *c.what, trace_.threads[rank]);
    }

    void finish(std::vector<site_operation>& into) {
        for (auto& sum : sums_) {
            auto& made = sum.operation;
            auto const scale = 1 / (sum.instances * made.ranks());
            made.times = sum.instances * static_cast<double>(phase_.passes);
            made.mean_seconds = sum.mean * scale;
            made.median_seconds = sum.median * scale;
            for (auto const& [call, seconds] : sum.calls)
                made.calls.push_back({call.first, call.second, seconds * scale});
            into.push_back(std::move(made));
        }
    }

private:
    struct sums {
        site_operation operation{};
        double instances = 0, mean = 0, median = 0; // seconds of all ranks and instances
        std::map<std::pair<std::string, std::string>, double> calls{};
    };

    void add(sums& sum, step const& s, thread_trace const& on) {
        auto const& sites = trace_.programs[on.program].sites;
        auto const site = static_cast<std::size_t>(s.what.site);
        auto const& in_call = on.call[s.place];
        sum.mean += mean_of(in_call);
        sum.median += median_of(in_call);
        sum.calls[{s.call, site < sites.size() ? sites[site] : ""}] += mean_of(in_call);
    }

    trace const& trace_;
    replay_phase const& phase_;
    std::map<contents_of_ranks, std::size_t> places_;
    std::vector<sums> sums_;
};

/// The calls of all ranks in a pass, taken apart.
class pass_parts {
public:
    pass_parts(trace const& t, calls_of_ranks calls) : trace_{t}, calls_{std::move(calls)} {}

    void add_collectives(operation_sums& into) const {
        std::map<std::string, std::vector<std::vector<std::size_t>>> of_communicator; // places on each rank
        for (std::size_t rank = 0; rank != calls_.size(); ++rank)
            for (std::size_t i = 0; i != calls_[rank].size(); ++i) {
                auto const& s = *calls_[rank][i].what;
                if (!is_collective(s) || s.what.comm < 0) continue;
                auto& places = of_communicator[communicator_of(rank, s).text];
                places.resize(calls_.size());
                places[rank].push_back(i);
            }
        for (auto const& [text, places] : of_communicator) add_instances(places, into);
    }

    /// False if messages between two collectives, and all that follow, are not complete.
    bool add_exchanges(operation_sums& into) const {
        auto const cuts = cuts_of_all();
        std::map<contents_of_ranks, std::size_t> known;
        calls_of_ranks open(calls_.size());
        std::vector<std::size_t> from(calls_.size());
        bool is_complete = true;
        for (std::size_t cut = 0; cut <= cuts[0].size(); ++cut) {
            for (std::size_t rank = 0; rank != calls_.size(); ++rank) {
                auto const end = cut == cuts[rank].size() ? calls_[rank].size() : cuts[rank][cut];
                for (auto i = from[rank]; i != end; ++i)
                    if (calls_[rank][i].is_message) open[rank].push_back(calls_[rank][i]);
                from[rank] = end;
            }
            auto const is_empty = [](auto const& of_rank) { return of_rank.empty(); };
            if (std::all_of(open.begin(), open.end(), is_empty)) continue;
            auto const [parts, is_new] = known.try_emplace(contents_of(open), 0);
            if (is_new) parts->second = repetitions_of(trace_, open);
            is_complete = parts->second != 0;
            if (!is_complete) continue; // with those behind the next collective, it may be
            add_split(into, open);
            open.assign(calls_.size(), {});
        }
        return is_complete;
    }

private:
    communicator const& communicator_of(std::size_t rank, step const& s) const {
        return trace_.threads[rank].communicators[static_cast<std::size_t>(s.what.comm)];
    }

    void add_split(operation_sums& into, calls_of_ranks const& exchange) const {
        for (auto const& part : split_by_sites(trace_, exchange)) {
            auto const repetitions = repetitions_of(trace_, part);
            into.add(part, false, repetitions);
        }
    }

    /// The n-th collective on a communicator is the same one on all of its ranks.
    void add_instances(std::vector<std::vector<std::size_t>> const& places, operation_sums& into) const {
        std::size_t most = 0;
        for (auto const& of_rank : places) most = std::max(most, of_rank.size());
        for (std::size_t n = 0; n != most; ++n) {
            calls_of_ranks one(calls_.size());
            for (std::size_t rank = 0; rank != places.size(); ++rank)
                if (n < places[rank].size()) one[rank] = with_completion(calls_[rank], places[rank][n]);
            into.add(one, true, 1);
        }
    }

    /// A collective, and the call that completes it.
    static std::vector<ordered_call> with_completion(std::vector<ordered_call> const& calls, std::size_t at) {
        std::vector<ordered_call> found{calls[at]};
        for (auto i = at + 1; calls[at].starts && i != calls.size(); ++i) {
            auto const& completed = calls[i].completes;
            if (std::find(completed.begin(), completed.end(), calls[at].started) == completed.end()) continue;
            auto completion = calls[i];
            completion.completes = {calls[at].started};
            completion.is_timed = !completion.is_message; // otherwise its time is that of the exchange
            found.push_back(completion);
            break;
        }
        return found;
    }

    /// Places of the blocking collectives of all ranks, if all ranks call them in the same order; otherwise none.
    std::vector<std::vector<std::size_t>> cuts_of_all() const {
        std::vector<std::vector<std::size_t>> found(calls_.size());
        std::vector<std::string> first;
        for (std::size_t rank = 0; rank != calls_.size(); ++rank) {
            std::vector<std::string> own;
            for (std::size_t i = 0; i != calls_[rank].size(); ++i) {
                auto const& s = *calls_[rank][i].what;
                if (!is_collective(s) || calls_[rank][i].starts || s.what.comm < 0) continue;
                auto const& in = communicator_of(rank, s);
                if (in.world.size() != calls_.size()) continue;
                found[rank].push_back(i);
                own.push_back(in.text + ' ' + s.call);
            }
            if (rank == 0) first = own;
            if (own != first) return std::vector<std::vector<std::size_t>>(calls_.size());
        }
        return found;
    }

    trace const& trace_;
    calls_of_ranks calls_;
};

/// What disjoint communicators that make the same call have in common.
auto signature_of(trace const& t, site_operation const& one) {
    std::size_t rank = 0;
    while (one.steps[rank].empty()) ++rank;
    auto const& s = one.steps[rank].front();
    auto const& calls = t.programs[t.threads[rank].program];
    auto const site = static_cast<std::size_t>(s.what.site);
    return std::tuple{one.phase,         s.call,       site < calls.sites.size() ? calls.sites[site] : "",
                      s.what.root,       s.what.count, calls.size_of(s.what.type),
                      s.what.recv_count, one.times,    one.is_collective};
}

bool are_disjoint(site_operation const& a, site_operation const& b) {
    for (std::size_t rank = 0; rank != a.steps.size(); ++rank)
        if (!a.steps[rank].empty() && !b.steps[rank].empty()) return false;
    return true;
}

void merge(site_operation& into, site_operation const& more) {
    auto const own = into.ranks(), all = own + more.ranks();
    auto const mean = [&](double a, double b) { return (a * own + b * (all - own)) / all; };
    into.mean_seconds = mean(into.mean_seconds, more.mean_seconds);
    into.median_seconds = mean(into.median_seconds, more.median_seconds);
    for (auto& c : into.calls) c.seconds = mean(c.seconds, 0);
    for (auto const& c : more.calls) {
        auto const same = std::find_if(into.calls.begin(), into.calls.end(),
                                       [&](auto const& one) { return one.call == c.call && one.site == c.site; });
        if (same != into.calls.end()) same->seconds += mean(0, c.seconds);
        else into.calls.push_back({c.call, c.site, mean(0, c.seconds)});
    }
    for (std::size_t rank = 0; rank != more.steps.size(); ++rank)
        if (!more.steps[rank].empty()) into.steps[rank] = more.steps[rank];
}

void merge_disjoint(trace const& t, std::vector<site_operation>& all) {
    std::vector<site_operation> merged;
    for (auto& one : all) {
        auto const same = std::find_if(merged.begin(), merged.end(), [&](auto const& other) {
            return one.is_collective && are_disjoint(one, other) && signature_of(t, one) == signature_of(t, other);
        });
        if (same == merged.end()) merged.push_back(std::move(one));
        else merge(*same, one);
    }
    all = std::move(merged);
}

} // namespace

std::vector<site_operation> operations_of(trace const& t, std::vector<replay_phase> const& phases,
                                          std::vector<std::string>& remarks) {
    std::vector<site_operation> found;
    call_contents contents;
    for (auto const& phase : phases) {
        calls_of_ranks calls;
        bool has_all = true;
        for (std::size_t rank = 0; rank != t.threads.size() && has_all; ++rank) {
            auto const most = most_ordered_calls / t.threads.size();
            auto const& program = t.programs[t.threads[rank].program];
            auto order = calls_in_order(phase.steps[rank], program, t.threads[rank], contents, most);
            has_all = order.has_value();
            if (has_all) calls.push_back(std::move(*order));
        }
        if (!has_all) {
            remarks.push_back(phase.name + " is left out: a pass has more than " + std::to_string(most_ordered_calls) +
                              " calls of all ranks");
            continue;
        }
        operation_sums sums{t, phase};
        pass_parts const parts{t, std::move(calls)};
        parts.add_collectives(sums);
        if (!parts.add_exchanges(sums))
            remarks.push_back(phase.name + ": messages that cross a collective in no order that is known are left out");
        sums.finish(found);
    }
    merge_disjoint(t, found);
    for (auto& one : found)
        std::stable_sort(one.calls.begin(), one.calls.end(),
                         [](auto const& a, auto const& b) { return a.seconds > b.seconds; });
    return found;
}

} // namespace tools::replay
