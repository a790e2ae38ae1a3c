// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/diagnosis.hpp"

#include "tools/replay/hang/mismatches.hpp"
#include "tools/replay/hang/state_text.hpp"
#include "tools/replay/hang/waits.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tools::replay {

namespace {

bool has_partner(shown_call const& c) { return !c.is_collective && (c.from != absent || c.to != absent); }

/// The same half of a message with another tag.
shown_call with_tag(shown_call c, bool is_receive, std::int32_t tag) {
    (is_receive ? c.recv_tag : c.tag) = tag;
    return c;
}

/// " for 2 requests: Irecv from rank 2, tag 7, at io.cpp:12; ..."
std::string requests_text(rank_state const& s) {
    constexpr std::size_t most = 3;
    auto const all = s.requests.size() + s.other_requests;
    auto text = " for " + std::to_string(all) + (all == 1 ? " request" : " requests");
    std::size_t shown = 0;
    for (auto const& request : s.requests) {
        if (request.to == null_partner || request.from == null_partner) continue; // is complete
        if (shown == most) return text + "; ...";
        text += (shown++ == 0 ? ": " : "; ") + call_text(request, s.size);
    }
    return text;
}

/// The first findings of each kind, and one for the others of it.
std::vector<finding> limited(std::vector<finding> all) {
    constexpr std::size_t most = 8;
    std::map<finding_kind, std::size_t> count;
    std::map<finding_kind, std::vector<int>> others;
    std::vector<finding> found;
    for (auto& one : all) {
        auto& more = others[one.kind];
        if (++count[one.kind] <= most) found.push_back(std::move(one));
        else more.insert(more.end(), one.ranks.begin(), one.ranks.end());
    }
    for (auto& other : others) {
        auto const kind = other.first; // clang 14 captures no structured binding
        auto& ranks = other.second;
        if (ranks.empty()) continue;
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        auto const last = std::find_if(found.rbegin(), found.rend(), [&](finding const& f) { return f.kind == kind; });
        auto text = "the same, or another call, of " + rank_names(ranks);
        found.insert(last.base(), {kind, std::move(ranks), std::move(text)});
    }
    return found;
}

class diagnosis {
public:
    explicit diagnosis(std::vector<rank_state> const& states) : states_{states}, graph_{states} {}

    std::vector<finding> findings() {
        auto const goes_on = [](auto const& s) { return s.activity == rank_activity::goes_on; };
        if (std::all_of(states_.begin(), states_.end(), goes_on)) return {};
        add_groups();
        add_unknown_ranks();
        add_processes();
        for (auto& one : mismatches_in(states_)) {
            mismatched_.insert(one.object);
            found_.push_back(std::move(one));
        }
        add_cycles();
        for (auto const& s : states_)
            for (auto const& w : graph_.waits(s.rank))
                if (w.what != rank_wait::kind::collective) add_message(s, w);
        for (auto const& [rank, all] : all_waiters())
            if (auto const* const s = graph_.state(rank)) add_absent(*s, all);
        remove_repeated_groups();
        return limited(std::move(found_));
    }

private:
    void add(finding_kind kind, std::vector<int> ranks, std::string text) {
        found_.push_back({kind, std::move(ranks), std::move(text)});
    }

    /// Ranks in the same call, the largest group first. Of a message or a wait the place is what they share.
    void add_groups() {
        using state_key = std::tuple<rank_activity, std::string, std::string, std::uint64_t, std::int32_t, std::string,
                                     std::vector<std::string>>;
        std::map<state_key, std::vector<rank_state const*>> by_state;
        for (auto const& s : states_) {
            if (s.activity > rank_activity::outside) continue;
            state_key key{s.activity, {}, {}, 0, 0, {}, {}};
            if (s.activity != rank_activity::goes_on)
                key = {s.activity, s.call.name, s.call.object, s.call.number, s.call.root, s.call.site, scope_names(s)};
            by_state[key].push_back(&s);
        }
        std::vector<std::vector<rank_state const*>> groups;
        for (auto& [key, group] : by_state) groups.push_back(std::move(group));
        std::stable_sort(groups.begin(), groups.end(), [](auto& a, auto& b) { return a.size() > b.size(); });
        for (auto const& group : groups) {
            std::vector<int> ranks;
            for (auto const* const s : group) ranks.push_back(s->rank);
            add(finding_kind::group, ranks, group_text(ranks, group));
        }
    }

    static std::vector<std::string> scope_names(rank_state const& s) {
        std::vector<std::string> found;
        for (auto const& one : s.scopes) found.push_back(one.name);
        return found;
    }

    std::string group_text(std::vector<int> const& ranks, std::vector<rank_state const*> const& group) const {
        auto const& first = *group.front();
        auto const is_one = ranks.size() == 1;
        auto text = share_of_ranks(ranks, static_cast<std::size_t>(first.size)) + ' ';
        if (first.activity == rank_activity::goes_on) return text + (is_one ? "goes on" : "go on");
        if (first.activity == rank_activity::outside && is_one) return text + outside_text(first);
        auto const least =
            *std::min_element(group.begin(), group.end(), [](auto* a, auto* b) { return a->seconds < b->seconds; });
        auto const time = " for " + duration_text(least->seconds) + (is_one ? "" : " or longer");
        auto const scope = first.scopes.empty() ? "" : ", " + scope_text(group);
        if (first.activity == rank_activity::outside)
            return text + "have not been in MPI" + time + scope + ", after " + call_text(first.call, first.size);
        auto shown = first.call;
        if (!is_one && has_partner(shown)) shown.to = shown.from = shown.tag = shown.recv_tag = absent;
        auto const verb = first.activity == rank_activity::polls ? (is_one ? "polls by " : "poll by ")
                          : has_partner(shown) || !first.requests.empty() || shown.to != first.call.to ||
                                  shown.from != first.call.from
                              ? (is_one ? "waits in " : "wait in ")
                              : (is_one ? "is in " : "are in ");
        text += verb + call_text(shown, first.size);
        if (is_one && first.requests.size() + first.other_requests != 0) text += requests_text(first);
        return text + time + missing_text(first) + scope;
    }

    /// " and waits for rank 5": the ranks that have not come to the collective.
    std::string missing_text(rank_state const& s) const {
        for (auto const& w : graph_.waits(s.rank))
            if (w.what == rank_wait::kind::collective) return ", without " + rank_names(w.ranks);
        return {};
    }

    /// The place of a single rank is in the reason that names it.
    void remove_repeated_groups() {
        std::set<std::vector<int>> named;
        for (auto const& one : found_)
            if (one.kind >= finding_kind::skipped && one.kind != finding_kind::cycle) named.insert(one.ranks);
        std::erase_if(found_, [&](finding const& one) {
            return one.kind == finding_kind::group && one.ranks.size() == 1 && named.count(one.ranks) != 0;
        });
    }

    void add_unknown_ranks() {
        std::vector<int> unknown;
        for (int rank = 0; rank < states_.front().size; ++rank)
            if (graph_.state(rank) == nullptr) unknown.push_back(rank);
        if (unknown.empty()) return;
        auto const number = share_of_ranks(unknown, static_cast<std::size_t>(states_.front().size));
        add(finding_kind::no_page, unknown,
            number + (unknown.size() == 1 ? " has" : " have") +
                " no page: on another node, not recorded, or finalized");
    }

    void add_processes() {
        std::vector<int> stopped, ended;
        for (auto const& s : states_) {
            if (s.activity == rank_activity::stopped) stopped.push_back(s.rank);
            if (s.activity == rank_activity::has_ended) ended.push_back(s.rank);
        }
        for (auto const rank : stopped)
            add(finding_kind::stopped, {rank},
                rank_names({rank}) + " is stopped by a signal or a debugger (process " +
                    std::to_string(graph_.state(rank)->process) + "): it goes on after SIGCONT");
        if (!ended.empty())
            add(finding_kind::ended, ended,
                rank_names(ended) + (ended.size() == 1 ? " has" : " have") + " ended without MPI_Finalize");
    }

    void add_cycles() {
        for (auto const& cycle : graph_.cycles()) {
            auto text = rank_names(cycle) + (cycle.size() == 1 ? " waits for itself: " : " wait for each other: ");
            if (cycle.size() > most_in_cycle) text = std::to_string(cycle.size()) + ' ' + text;
            for (std::size_t i = 0; i != std::min(cycle.size(), most_in_cycle); ++i) {
                auto const& s = *graph_.state(cycle[i]);
                text += (i == 0 ? "" : "; ") + rank_names({s.rank}) + " in " +
                        waiting_text(s, cycle[(i + 1) % cycle.size()]);
            }
            in_cycle_.insert(cycle.begin(), cycle.end());
            add(finding_kind::cycle, cycle, text + (cycle.size() > most_in_cycle ? "; ..." : ""));
        }
    }

    /// The call, with the request of it that waits for a rank.
    std::string waiting_text(rank_state const& s, int partner) const {
        for (auto const& w : graph_.waits(s.rank)) {
            if (std::find(w.ranks.begin(), w.ranks.end(), partner) == w.ranks.end()) continue;
            auto const text = call_text(w.call, s.size);
            return w.call.request == 0 ? text : s.call.name + " for " + text;
        }
        return s.call.name;
    }

    void add_message(rank_state const& s, rank_wait const& w) {
        auto const partner = w.ranks.front();
        auto const* const other = graph_.state(partner);
        if (other == nullptr || (in_cycle_.count(s.rank) != 0 && in_cycle_.count(partner) != 0)) return;
        auto const is_receive = w.what == rank_wait::kind::receive;
        auto const never = graph_.depends_on(partner, s.rank);
        auto text = rank_names({s.rank}) + " waits in " + waiting_text(s, partner) + " for " +
                    duration_text(s.seconds) + ", which " + rank_names({partner});
        text += never ? (is_receive ? " never sends" : " never receives")
                      : (is_receive ? " has not sent" : " has not received");
        text += ": it " + short_activity(*other) + last_message_text(s, *other, w);
        if (!s.scopes.empty()) text += "; " + rank_names({s.rank}) + " is " + scope_text({&s});
        add(is_receive ? (never ? finding_kind::never_sent : finding_kind::not_sent)
                       : (never ? finding_kind::never_received : finding_kind::not_received),
            {s.rank}, text);
    }

    /// "is in the Allreduce", if the first group is in it.
    std::string short_activity(rank_state const& s) const {
        auto const& first = *graph_.state(found_.front().ranks.front());
        auto const is_same = s.activity == rank_activity::in_call && first.activity == rank_activity::in_call &&
                             s.call.is_collective && s.call.name == first.call.name &&
                             s.call.object == first.call.object && s.call.number == first.call.number;
        return is_same ? "is in the " + s.call.name : activity_text(s);
    }

    /// "; its last message to rank 5 there has tag 8": of another tag than the receive, or the reverse.
    std::string last_message_text(rank_state const& s, rank_state const& other, rank_wait const& w) const {
        auto const is_receive = w.what == rank_wait::kind::receive;
        auto const tag = is_receive ? w.call.recv_tag : w.call.tag;
        auto const is_between = [&](shown_call const& m) {
            return m.object == w.call.object && !m.is_collective && m.name.find("robe") == m.name.npos &&
                   (is_receive ? m.to : m.from) == s.rank;
        };
        auto all = other.messages;
        if (waits_in_call(other)) all.push_back(other.call);
        auto const last = std::find_if(all.rbegin(), all.rend(), is_between);
        if (last == all.rend()) return {};
        auto const its = is_receive ? last->tag : last->recv_tag;
        if (its == tag || its == any_tag || tag == any_tag) return {};
        if (graph_.surplus(s, with_tag(w.call, is_receive, its), !is_receive) <= 0) return {}; // it was taken
        return std::string{"; its last "} + (is_receive ? "message to " : "receive from ") + rank_names({s.rank}) +
               " has tag " + std::to_string(its) + (last->site.empty() ? "" : ", at " + last->site);
    }

    /// The ranks that wait for a rank, those without the ranks in MPI_Finalize, and the first collective that they are
    /// in.
    struct waiters {
        std::vector<int> ranks{}, in_the_middle{};
        rank_wait const* first = nullptr;
    };

    std::map<int, waiters> all_waiters() const {
        std::map<int, waiters> found;
        auto const add_to = [](std::vector<int>& to, int rank) {
            if (to.empty() || to.back() != rank) to.push_back(rank);
        };
        for (auto const& s : states_)
            for (auto const& w : graph_.waits(s.rank))
                for (auto const rank : w.ranks) {
                    auto& one = found[rank];
                    add_to(one.ranks, s.rank);
                    if (w.call.name == "Finalize") continue; // the rank comes when the others do
                    add_to(one.in_the_middle, s.rank);
                    if (one.first == nullptr && w.what == rank_wait::kind::collective) one.first = &w;
                }
        return found;
    }

    /// A rank that has not come to a collective, and whose own state is the reason.
    void add_absent(rank_state const& s, waiters const& all) {
        auto const& waiting = waits_in_call(s) ? all.in_the_middle : all.ranks;
        auto const* const first = all.first;
        if (waiting.empty()) return;
        auto const who =
            rank_names(waiting) + (waiting.size() == 1 ? " waits" : " wait") + " for " + rank_names({s.rank});
        if (s.activity == rank_activity::outside)
            add(finding_kind::computes, {s.rank}, who + ", which " + outside_text(s));
        else if (first != nullptr && mismatched_.count(first->call.object) == 0 && never_comes(s, first->call, waiting))
            add(finding_kind::skipped, {s.rank}, who + skipped_text(s, first->call));
        else if (s.activity == rank_activity::polls && graph_.waits(s.rank).empty())
            add(finding_kind::computes, {s.rank}, who + ", which " + activity_text(s));
    }

    /// It is at the end, or waits itself for a rank that waits for it.
    bool never_comes(rank_state const& s, shown_call const& missed, std::vector<int> const& waiting) const {
        if (!waits_in_call(s) || graph_.has_come(s.rank, missed)) return false;
        return s.call.name == "Finalize" ||
               (s.call.is_collective &&
                std::any_of(waiting.begin(), waiting.end(), [&](int rank) { return graph_.depends_on(s.rank, rank); }));
    }

    /// ", which has called 18 collectives of MPI_COMM_WORLD and not no. 19: it is in Finalize"
    std::string skipped_text(rank_state const& s, shown_call const& missed) {
        auto const at = s.collectives_on.find(missed.object);
        auto const done = at == s.collectives_on.end() ? 0 : at->second;
        auto text = ", which has called " + grouped_number(done) +
                    (done == 1 ? " collective of " : " collectives of ") + object_name(missed, s.size);
        if (missed.number != 0) text += " and not no. " + grouped_number(missed.number);
        text += ": it " + activity_text(s);
        if (++skipped_ > 8) return text; // no more is shown
        auto const site = other_site_of(states_, s.rank, missed.object);
        return site.empty() ? text : text + "; " + site;
    }

    static constexpr std::size_t most_in_cycle = 4;

    std::vector<rank_state> const& states_;
    wait_graph graph_;
    std::vector<finding> found_;
    std::set<int> in_cycle_;
    int skipped_ = 0;
    std::set<std::string> mismatched_; // objects
};

} // namespace

std::vector<finding> diagnosis_of(std::vector<rank_state> const& states) {
    return states.empty() ? std::vector<finding>{} : diagnosis{states}.findings();
}

} // namespace tools::replay
