// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/pass_exchanges.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace tools::replay {

namespace {

/// A rank's call that starts a message or a collective.
struct started {
    int rank = 0;
    std::size_t call = 0;
    step const* what = nullptr;
};

/// Waiting of one rank for another one.
struct wait_for {
    started who;
    int other = 0;
    wait_pattern pattern{};
};

wait_pattern pattern_of(std::string const& name) {
    if (name == "Barrier") return wait_pattern::wait_at_barrier;
    if (name == "Bcast" || name == "Scatter" || name == "Scatterv") return wait_pattern::late_broadcast;
    if (name == "Reduce" || name == "Gather" || name == "Gatherv") return wait_pattern::early_reduce;
    return name == "Scan" || name == "Exscan" ? wait_pattern::early_scan : wait_pattern::wait_at_nxn;
}

/// Calls in sets that are united step by step.
class call_sets {
public:
    explicit call_sets(calls_of_all const& calls) {
        for (auto const& of_rank : calls) {
            begin_.push_back(parent_.size());
            parent_.resize(parent_.size() + of_rank.size());
        }
        std::iota(parent_.begin(), parent_.end(), std::size_t{});
    }
    std::size_t of(std::size_t rank, std::size_t call) { return root(begin_[rank] + call); }
    void unite(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }
    std::size_t root(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

private:
    std::vector<std::size_t> begin_, parent_;
};

class exchange_search {
public:
    exchange_search(trace const& t, calls_of_all const& calls) : trace_{t}, calls_{calls}, sets_{calls} {}

    std::vector<pass_exchange> found() {
        for (std::size_t rank = 0; rank != calls_.size(); ++rank)
            for (std::size_t i = 0; i != calls_[rank].size(); ++i) add(rank, i);
        match_messages();
        for (auto const& [key, all] : collectives_) match(all);
        auto queues = queues_of_ranks();
        unite_equal_calls(queues);
        std::vector<std::size_t> order;
        do queues = queues_of_ranks();
        while (!put_in_order(queues, order));
        return exchanges(order);
    }

private:
    using sets_of_rank = std::vector<std::size_t>;

    communicator const& communicator_of(started const& s) const {
        return trace_.threads[static_cast<std::size_t>(s.rank)]
            .communicators[static_cast<std::size_t>(s.what->what.comm)];
    }
    std::size_t set_of(started const& s) { return sets_.of(static_cast<std::size_t>(s.rank), s.call); }

    void add(std::size_t rank, std::size_t i) {
        auto const& call = calls_[rank][i];
        for (auto const* s : call.starts) add({static_cast<int>(rank), i, s});
        for (auto const other : call.completes) sets_.unite(sets_.of(rank, i), sets_.of(rank, other));
        auto const is_under_way = [&](std::size_t other) { return other + 1 < i; }; // in the call before
        if (i != 0 && !call.follows_gap && calls_[rank][i - 1].waits && !is_collective(*calls_[rank][i - 1].what) &&
            std::any_of(call.completes.begin(), call.completes.end(), is_under_way))
            sets_.unite(sets_.of(rank, i), sets_.of(rank, i - 1));
    }

    void add(started const& s) {
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
    int source_of(started const& s, communicator const& in) const {
        if (s.what->what.from >= 0) return in.world[static_cast<std::size_t>(in.partner(s.what->what.from))];
        auto const& matched = trace_.threads[static_cast<std::size_t>(s.rank)].matched;
        auto const found = matched.find(s.what->place);
        auto const is_one = found != matched.end() && found->second.size() == 1 && found->second[0].first >= 0 &&
                            found->second[0].first < in.size();
        return is_one ? in.world[static_cast<std::size_t>(found->second[0].first)] : -1;
    }

    void match_messages() {
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

    void match(started const& send, started const& receive) {
        sets_.unite(set_of(send), set_of(receive));
        waits_.push_back({receive, send.rank, wait_pattern::late_sender});
        if (!is_buffered(*send.what)) waits_.push_back({send, receive.rank, wait_pattern::late_receiver});
    }

    /// A collective of these calls.
    void match(std::vector<started> const& all) {
        auto const pattern = pattern_of(blocking_name(all[0].what->call));
        auto const rank_of = [&](started const& s) { return communicator_of(s).rank; };
        auto const root =
            std::find_if(all.begin(), all.end(), [&](auto& s) { return rank_of(s) == s.what->what.root; });
        auto const is_rooted = pattern == wait_pattern::late_broadcast || pattern == wait_pattern::early_reduce;
        auto const is_whole = communicator_of(all[0]).world.size() == calls_.size();
        for (auto const& s : all) {
            sets_.unite(set_of(s), set_of(all[0]));
            if (is_rooted && (root == all.end() || s.rank == root->rank)) continue;
            if (pattern == wait_pattern::late_broadcast) waits_.push_back({s, root->rank, pattern});
            else if (is_rooted) waits_.push_back({*root, s.rank, pattern});
            else if (is_whole && pattern != wait_pattern::early_scan) await_all_.push_back({s, 0, pattern});
            else
                for (auto const& other : all)
                    if (pattern != wait_pattern::early_scan || rank_of(other) < rank_of(s))
                        waits_.push_back({s, other.rank, pattern});
        }
    }

    /// The sets of each rank's calls that wait, in their order. What is between two calls of a set belongs to it.
    std::vector<sets_of_rank> queues_of_ranks() {
        std::vector<sets_of_rank> queues(calls_.size());
        for (bool is_changed = true; is_changed;) {
            is_changed = false;
            for (std::size_t rank = 0; rank != calls_.size(); ++rank) {
                auto& queue = queues[rank];
                queue.clear();
                for (std::size_t i = 0; i != calls_[rank].size(); ++i) {
                    if (!calls_[rank][i].waits) continue;
                    auto const set = sets_.of(rank, i);
                    auto const before = std::find(queue.begin(), queue.end(), set);
                    if (before == queue.end()) {
                        queue.push_back(set);
                        continue;
                    }
                    for (auto other = before; other != queue.end(); ++other)
                        if (sets_.root(*other) != sets_.root(set)) {
                            sets_.unite(*other, set);
                            is_changed = true;
                        }
                }
            }
        }
        return queues;
    }

    /// Ranks may make the same calls among themselves, as pairs do: sets of the same sites without a common rank, which
    /// have as many such sets before them.
    void unite_equal_calls(std::vector<sets_of_rank> const& queues) {
        std::map<std::size_t, std::set<std::string>> sites;
        std::map<std::size_t, std::vector<std::size_t>> ranks;
        for (std::size_t rank = 0; rank != calls_.size(); ++rank) {
            for (auto const& c : calls_[rank])
                if (c.waits) sites[sets_.of(rank, index(rank, c))].insert(site_of(rank, c));
            for (auto const set : queues[rank]) ranks[set].push_back(rank);
        }
        std::map<std::pair<std::set<std::string>, std::size_t>, std::pair<std::size_t, std::set<std::size_t>>> known;
        for (auto const& [set, own] : ranks) {
            std::size_t number = 0;
            for (auto const before : queues[own[0]]) {
                if (before == set) break;
                number += sites[before] == sites[set] ? 1 : 0;
            }
            auto& equal = known.try_emplace({sites[set], number}, set, std::set<std::size_t>{}).first->second;
            if (std::any_of(own.begin(), own.end(), [&](auto rank) { return equal.second.count(rank) != 0; })) continue;
            equal.second.insert(own.begin(), own.end());
            sets_.unite(set, equal.first);
        }
    }
    std::size_t index(std::size_t rank, pass_call const& c) const {
        return static_cast<std::size_t>(&c - calls_[rank].data());
    }
    std::string site_of(std::size_t rank, pass_call const& c) const {
        auto const& sites = trace_.programs[trace_.threads[rank].program].sites;
        return c.what->call + ' ' + sites[static_cast<std::size_t>(c.what->what.site)];
    }

    /// False if no order keeps the sets apart: then the first ones of the ranks that are left become one.
    bool put_in_order(std::vector<sets_of_rank> const& queues, std::vector<std::size_t>& order) {
        std::map<std::size_t, std::size_t> missing; // ranks on which others are before the set
        for (auto const& queue : queues)
            for (auto const set : queue) ++missing[set];
        order.clear();
        std::vector<std::size_t> next(queues.size()), ready;
        auto const arrive = [&](std::size_t rank) {
            if (next[rank] != queues[rank].size() && --missing[queues[rank][next[rank]]] == 0)
                ready.push_back(queues[rank][next[rank]]);
        };
        for (std::size_t rank = 0; rank != queues.size(); ++rank) arrive(rank);
        while (!ready.empty()) {
            order.push_back(ready.back());
            ready.pop_back();
            for (std::size_t rank = 0; rank != queues.size(); ++rank)
                if (next[rank] != queues[rank].size() && queues[rank][next[rank]] == order.back()) {
                    ++next[rank];
                    arrive(rank);
                }
        }
        std::size_t const* first = nullptr;
        for (std::size_t rank = 0; rank != queues.size(); ++rank) {
            if (next[rank] == queues[rank].size()) continue;
            auto const& head = queues[rank][next[rank]];
            if (first == nullptr) first = &head;
            else sets_.unite(head, *first);
        }
        return first == nullptr;
    }

    std::vector<pass_exchange> exchanges(std::vector<std::size_t> const& order) {
        std::map<std::size_t, pass_exchange> all;
        for (std::size_t rank = 0; rank != calls_.size(); ++rank)
            for (std::size_t i = 0; i != calls_[rank].size(); ++i) {
                if (!calls_[rank][i].waits) continue;
                auto const none = exchange_part{.first = i, .sent = i};
                auto const at = all[sets_.of(rank, i)].ranks.try_emplace(static_cast<int>(rank), none).first;
                at->second.last = i;
            }
        add_partners(all);
        std::vector<pass_exchange> found;
        for (auto const set : order) {
            found.push_back(std::move(all[set]));
            for (auto& [rank, part] : found.back().ranks) part.sent = last_sent(rank, part.first, set);
        }
        return found;
    }

    void add_partners(std::map<std::size_t, pass_exchange>& all) {
        for (auto const& w : waits_) {
            auto const part = all[set_of(w.who)].ranks.find(w.who.rank);
            if (part == all[set_of(w.who)].ranks.end()) continue;
            auto const [known, is_new] = part->second.partners.try_emplace(w.other, w.pattern);
            if (!is_new) known->second = std::min(known->second, w.pattern);
        }
        for (auto const& w : await_all_) {
            auto& exchange = all[set_of(w.who)];
            exchange.of_all = w.pattern;
            if (exchange.ranks.count(w.who.rank) != 0) exchange.ranks.at(w.who.rank).awaits_all = true;
        }
    }

    /// The last call of the set up to the first one that waits in which the rank sends, or receives if it sends
    /// nothing.
    std::size_t last_sent(int rank, std::size_t first, std::size_t set) {
        auto const& calls = calls_[static_cast<std::size_t>(rank)];
        std::size_t last[2] = {first, first};
        bool is_there[2] = {};
        for (std::size_t i = 0; i != calls.size(); ++i)
            for (auto const* s : calls[i].starts) {
                if (sets_.of(static_cast<std::size_t>(rank), i) != set) continue;
                auto const receives_only = s->what.to < 0 && !is_collective(*s) && !makes_persistent_collective(*s);
                last[receives_only] = std::min(i, first);
                is_there[receives_only] = true;
            }
        return is_there[0] ? last[0] : last[1];
    }

    trace const& trace_;
    calls_of_all const& calls_;
    call_sets sets_;
    std::map<std::tuple<std::string, int, int, std::int32_t>, std::vector<started>> sent_, received_; // from, to, tag
    std::map<std::pair<std::string, std::size_t>, std::vector<started>> collectives_; // communicator, number
    std::map<std::pair<std::string, int>, std::size_t> numbers_;
    std::vector<wait_for> waits_, await_all_;
};

} // namespace

char const* name_of(wait_pattern pattern) {
    constexpr char const* names[] = {"late sender",    "late receiver", "wait at barrier", "wait at NxN",
                                     "late broadcast", "early reduce",  "early scan"};
    return names[static_cast<std::size_t>(pattern)];
}

std::vector<pass_exchange> exchanges_of(trace const& t, calls_of_all const& calls) {
    return exchange_search{t, calls}.found();
}

} // namespace tools::replay
