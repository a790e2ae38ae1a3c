// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/pass_exchanges.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tools::replay {

namespace {

class exchange_search {
public:
    exchange_search(trace const& t, calls_of_all const& calls) : trace_{t}, calls_{calls}, matched_{t, calls} {}

    std::vector<pass_exchange> found() {
        auto queues = queues_of_ranks();
        unite_equal_calls(queues);
        std::vector<std::size_t> order;
        do queues = queues_of_ranks();
        while (!put_in_order(queues, order));
        return exchanges(order);
    }

private:
    using sets_of_rank = std::vector<std::size_t>;

    /// The sets of each rank's calls that wait, in their order. What is between two calls of a set belongs to it.
    std::vector<sets_of_rank> queues_of_ranks() {
        std::vector<sets_of_rank> queues(calls_.size());
        for (bool is_changed = true; is_changed;) {
            is_changed = false;
            for (std::size_t rank = 0; rank != calls_.size(); ++rank) {
                auto& queue = queues[rank];
                queue.clear();
                std::map<std::size_t, std::size_t> places;
                for (std::size_t i = 0; i != calls_[rank].size(); ++i) {
                    if (!calls_[rank][i].waits) continue;
                    auto const set = set_of(static_cast<int>(rank), i);
                    auto const [place, is_new] = places.try_emplace(set, queue.size());
                    if (is_new) queue.push_back(set);
                    is_changed = is_changed || place->second + 1 != queue.size();
                    for (auto other = place->second + 1; other < queue.size(); ++other)
                        matched_.sets.unite(queue[other], set);
                    queue.resize(place->second + 1);
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
            for (std::size_t i = 0; i != calls_[rank].size(); ++i)
                if (calls_[rank][i].waits)
                    sites[set_of(static_cast<int>(rank), i)].insert(site_of(rank, *calls_[rank][i].what));
            for (auto const set : queues[rank]) ranks[set].push_back(rank);
        }
        struct equal_sets {
            std::size_t first;
            std::set<std::size_t> ranks;
        };
        std::map<std::pair<std::set<std::string>, std::size_t>, equal_sets> known; // by the sites and the number
        for (std::size_t rank = 0; rank != calls_.size(); ++rank) {
            std::map<std::set<std::string>, std::size_t> before;
            for (auto const set : queues[rank]) {
                auto const number = before[sites[set]]++;
                auto const& own = ranks[set];
                if (own.front() != rank) continue;
                auto& equal = known.try_emplace({sites[set], number}, equal_sets{set, {}}).first->second;
                if (std::any_of(own.begin(), own.end(), [&](auto r) { return equal.ranks.count(r) != 0; })) continue;
                equal.ranks.insert(own.begin(), own.end());
                matched_.sets.unite(set, equal.first);
            }
        }
    }
    std::string site_of(std::size_t rank, step const& s) const {
        auto const& sites = trace_.programs[trace_.threads[rank].program].sites;
        return s.call + ' ' + sites[static_cast<std::size_t>(s.what.site)];
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
            else matched_.sets.unite(head, *first);
        }
        return first == nullptr;
    }

    std::vector<pass_exchange> exchanges(std::vector<std::size_t> const& order) {
        std::map<std::size_t, pass_exchange> all;
        for_each_call([&](int rank, std::size_t i, pass_call const& c) {
            if (!c.waits) return;
            auto const begun = exchange_part{.first = i, .sent = i};
            all[set_of(rank, i)].ranks.try_emplace(rank, begun).first->second.last = i;
        });
        find_last_sent(all, false);
        find_last_sent(all, true);
        add_partners(all);
        std::vector<pass_exchange> found;
        for (auto const set : order) found.push_back(std::move(all[set]));
        return found;
    }

    exchange_part* part_of(std::map<std::size_t, pass_exchange>& all, int rank, std::size_t call) {
        auto& ranks = all[set_of(rank, call)].ranks;
        auto const found = ranks.find(rank);
        return found == ranks.end() ? nullptr : &found->second;
    }

    /// Partners wait for the last call in which a rank sends, or for a receive if it sends nothing.
    void find_last_sent(std::map<std::size_t, pass_exchange>& all, bool sends) {
        for_each_call([&](int rank, std::size_t i, pass_call const& c) {
            for (auto const* s : c.starts) {
                auto const receives_only = s->what.to < 0 && !is_collective(*s) && !makes_persistent_collective(*s);
                auto* const part = receives_only == sends ? nullptr : part_of(all, rank, i);
                if (part != nullptr) part->sent = std::min(i, part->first);
            }
        });
    }

    void add_partners(std::map<std::size_t, pass_exchange>& all) {
        for (auto const& w : matched_.waits) {
            auto* const part = part_of(all, w.who.rank, w.who.call);
            if (part == nullptr) continue;
            auto const [known, is_new] = part->partners.try_emplace(w.other, w.pattern);
            if (!is_new) known->second = std::min(known->second, w.pattern);
        }
        for (auto const& w : matched_.await_all) {
            all[set_of(w.who.rank, w.who.call)].of_all = w.pattern;
            if (auto* const part = part_of(all, w.who.rank, w.who.call)) part->awaits_all = true;
        }
    }

    void for_each_call(auto f) const {
        for (std::size_t rank = 0; rank != calls_.size(); ++rank)
            for (std::size_t i = 0; i != calls_[rank].size(); ++i) f(static_cast<int>(rank), i, calls_[rank][i]);
    }
    std::size_t set_of(int rank, std::size_t call) { return matched_.sets.of(rank, call); }

    trace const& trace_;
    calls_of_all const& calls_;
    matched_calls matched_;
};

} // namespace

std::vector<pass_exchange> exchanges_of(trace const& t, calls_of_all const& calls) {
    return exchange_search{t, calls}.found();
}

} // namespace tools::replay
