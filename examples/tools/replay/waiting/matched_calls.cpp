// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/matched_calls.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <numeric>

namespace tools::replay {

namespace {

wait_pattern pattern_of(std::string const& name) {
    if (name == "Barrier") return wait_pattern::wait_at_barrier;
    if (name == "Bcast" || name == "Scatter" || name == "Scatterv") return wait_pattern::late_broadcast;
    if (name == "Reduce" || name == "Gather" || name == "Gatherv") return wait_pattern::early_reduce;
    return name == "Scan" || name == "Exscan" ? wait_pattern::early_scan : wait_pattern::wait_at_nxn;
}

} // namespace

char const* name_of(wait_pattern pattern) {
    constexpr char const* names[] = {"late sender",    "late receiver", "wait at barrier", "wait at NxN",
                                     "late broadcast", "early reduce",  "early scan"};
    return names[static_cast<std::size_t>(pattern)];
}

call_sets::call_sets(calls_of_all const& calls) {
    for (auto const& of_rank : calls) {
        begin_.push_back(parent_.size());
        parent_.resize(parent_.size() + of_rank.size());
    }
    std::iota(parent_.begin(), parent_.end(), std::size_t{});
}

std::size_t call_sets::root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
}

matched_calls::matched_calls(trace const& t, calls_of_all const& calls) : sets{calls}, trace_{t}, calls_{calls} {
    for (std::size_t rank = 0; rank != calls.size(); ++rank)
        for (std::size_t i = 0; i != calls[rank].size(); ++i) unite_parts(rank, i);
    match_messages();
    for (auto const& [key, all] : collectives_) match(all);
}

communicator const& matched_calls::communicator_of(started_call const& s) const {
    return trace_.threads[static_cast<std::size_t>(s.rank)].communicators[static_cast<std::size_t>(s.what->what.comm)];
}
/// What the call starts and completes, and messages that are under way in the call before it.
void matched_calls::unite_parts(std::size_t rank, std::size_t i) {
    auto const own = static_cast<int>(rank);
    auto const& call = calls_[rank][i];
    for (auto const* s : call.starts) add({own, i, s});
    for (auto const other : call.completes) sets.unite(sets.of(own, i), sets.of(own, other));
    auto const is_under_way = [&](std::size_t other) { return other + 1 < i; }; // in the call before
    if (i != 0 && !call.follows_gap && calls_[rank][i - 1].waits && !is_collective(*calls_[rank][i - 1].what) &&
        std::any_of(call.completes.begin(), call.completes.end(), is_under_way))
        sets.unite(sets.of(own, i), sets.of(own, i - 1));
}

void matched_calls::add(started_call const& s) {
    auto const& in = communicator_of(s);
    auto const& what = s.what->what;
    auto const& name = s.what->call;
    if (in.world.empty()) return;
    auto const is_message = sends(*s.what) || receives(*s.what) || name == "Probe";
    if (!is_message) return collectives_[{in.text, numbers_[{in.text, s.rank}]++}].push_back(s);
    if (what.to >= 0)
        sent_[{in.text, s.rank, in.world[static_cast<std::size_t>(in.partner(what.to))], what.tag}].push_back(s);
    if (what.from == null_partner || what.from == absent) return;
    auto const from = source_of(s, in);
    auto const tag = name == "Probe" ? any_tag : what.recv_tag; // another call receives its message
    received_[{in.text, from, s.rank, from < 0 ? any_tag : tag}].push_back(s);
}

/// The rank that a message comes from; -1 if several ranks matched.
int matched_calls::source_of(started_call const& s, communicator const& in) const {
    if (s.what->what.from >= 0) return in.world[static_cast<std::size_t>(in.partner(s.what->what.from))];
    auto const& matched = trace_.threads[static_cast<std::size_t>(s.rank)].matched;
    auto const found = matched.find(s.what->place);
    auto const is_one = found != matched.end() && found->second.size() == 1 && found->second[0].first >= 0 &&
                        found->second[0].first < in.size();
    return is_one ? in.world[static_cast<std::size_t>(found->second[0].first)] : -1;
}

void matched_calls::match_messages() {
    for (auto const& [key, receives] : received_) {
        auto const& [text, from, to, tag] = key;
        if (tag >= 0) {
            auto const& all = sent_[key];
            for (std::size_t i = 0; i != std::min(all.size(), receives.size()); ++i) match(all[i], receives[i]);
            continue;
        }
        for (auto const& [message, all] : sent_) // from any source or of any tag: each message that it may be
            if (std::get<0>(message) == text && std::get<2>(message) == to &&
                (from < 0 || std::get<1>(message) == from))
                for (auto const& r : receives)
                    for (auto const& s : all) match(s, r);
    }
}

void matched_calls::match(started_call const& send, started_call const& receive) {
    sets.unite(set_of(send), set_of(receive));
    waits.push_back({receive, send.rank, wait_pattern::late_sender});
    if (!is_buffered(*send.what)) waits.push_back({send, receive.rank, wait_pattern::late_receiver});
}

/// A collective of these calls.
void matched_calls::match(std::vector<started_call> const& all) {
    auto const pattern = pattern_of(blocking_name(all[0].what->call));
    auto const rank_of = [&](started_call const& s) { return communicator_of(s).rank; };
    auto const root = std::find_if(all.begin(), all.end(), [&](auto& s) { return rank_of(s) == s.what->what.root; });
    auto const is_rooted = pattern == wait_pattern::late_broadcast || pattern == wait_pattern::early_reduce;
    auto const is_whole = communicator_of(all[0]).world.size() == calls_.size();
    for (auto const& s : all) {
        sets.unite(set_of(s), set_of(all[0]));
        if (is_rooted && (root == all.end() || s.rank == root->rank)) continue;
        if (pattern == wait_pattern::late_broadcast) waits.push_back({s, root->rank, pattern});
        else if (is_rooted) waits.push_back({*root, s.rank, pattern});
        else if (is_whole && pattern != wait_pattern::early_scan) await_all.push_back({s, 0, pattern});
        else
            for (auto const& other : all)
                if (pattern != wait_pattern::early_scan || rank_of(other) < rank_of(s))
                    waits.push_back({s, other.rank, pattern});
    }
}

} // namespace tools::replay
