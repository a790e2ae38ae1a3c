// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/waits.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace tools::replay {

namespace {

bool is_message(shown_call const& c) { return !c.is_window && !c.is_collective; }

/// A send to this rank of this tag, or a receive that takes it.
bool takes(shown_call const& receive, int sender, int tag, std::string const& object) {
    return is_message(receive) && receive.object == object && (receive.from == sender || receive.from == any_partner) &&
           (receive.recv_tag == tag || receive.recv_tag == any_tag);
}

bool gives(shown_call const& send, int receiver, int tag, std::string const& object) {
    return is_message(send) && send.object == object && send.to == receiver && (send.tag == tag || tag == any_tag);
}

} // namespace

wait_graph::wait_graph(std::vector<rank_state> const& states) {
    for (auto const& s : states) states_[s.rank] = &s;
    for (auto const& s : states)
        if (waits_in_call(s)) find_waits(s);
}

rank_state const* wait_graph::state(int rank) const {
    auto const at = states_.find(rank);
    return at == states_.end() ? nullptr : at->second;
}

std::vector<rank_wait> const& wait_graph::waits(int rank) const {
    static std::vector<rank_wait> const none;
    auto const at = waits_.find(rank);
    return at == waits_.end() ? none : at->second;
}

bool wait_graph::has_come(int rank, shown_call const& collective) const {
    auto const* const s = state(rank);
    if (s == nullptr) return true; // nothing is known of it
    if (collective.number == 0) return s->call.name == collective.name && waits_in_call(*s);
    auto const at = s->collectives_on.find(collective.object);
    auto const done = at == s->collectives_on.end() ? 0 : at->second;
    return done >= collective.number || (s->activity == rank_activity::in_call && s->call.is_collective &&
                                         s->call.object == collective.object && s->call.number >= collective.number);
}

void wait_graph::find_waits(rank_state const& s) {
    if (s.call.waits_for_any && s.requests.size() + s.other_requests > 1) return; // any of them may come
    add_waits(s, s.call);
    for (auto const& request : s.requests) add_waits(s, request);
}

void wait_graph::add_waits(rank_state const& s, shown_call const& call) {
    auto& to = waits_[s.rank];
    if (call.is_collective || call.name == "Finalize") {
        rank_wait w{rank_wait::kind::collective, call, {}};
        for (auto const member : members_of(call.object, s.size))
            if (!has_come(member, call)) w.ranks.push_back(member);
        if (!w.ranks.empty()) to.push_back(std::move(w));
        return;
    }
    if (!is_message(call)) return;
    auto const is_pending = [&](bool sends) {
        return !is_matched(s, call, sends) && (call.request == 0 || surplus(s, call, sends) < 0); // others are complete
    };
    if (call.from >= 0 && is_pending(false)) to.push_back({rank_wait::kind::receive, call, {call.from}});
    if (call.to >= 0 && is_pending(true)) to.push_back({rank_wait::kind::send, call, {call.to}});
}

std::ptrdiff_t wait_graph::surplus(rank_state const& s, shown_call const& call, bool sends) const {
    auto const partner = sends ? call.to : call.from;
    auto const tag = sends ? call.tag : call.recv_tag;
    auto const* const other = state(partner);
    if (other == nullptr) return -1;
    auto const count = [&](rank_state const& of, int with, bool of_sends) {
        return std::count_if(of.messages.begin(), of.messages.end(), [&](shown_call const& m) {
            return of_sends ? gives(m, with, tag, call.object) : takes(m, with, tag, call.object);
        });
    };
    return count(*other, s.rank, !sends) - count(s, partner, sends);
}

/// The partner is in the other half of the message, which is then on its way.
bool wait_graph::is_matched(rank_state const& s, shown_call const& call, bool sends) const {
    auto const* const partner = state(sends ? call.to : call.from);
    if (partner == nullptr || !waits_in_call(*partner)) return false;
    auto const matches = [&](shown_call const& other) {
        return sends ? takes(other, s.rank, call.tag, call.object) : gives(other, s.rank, call.recv_tag, call.object);
    };
    return matches(partner->call) || std::any_of(partner->requests.begin(), partner->requests.end(), matches);
}

bool wait_graph::depends_on(int from, int to) const {
    std::set<int> seen;
    std::set<std::pair<std::string, std::uint64_t>> collectives; // of which the ranks are seen
    std::vector<int> left{from};
    while (!left.empty()) {
        auto const one = left.back();
        left.pop_back();
        for (auto const& w : waits(one)) {
            auto const is_collective = w.what == rank_wait::kind::collective;
            if (is_collective && !collectives.emplace(w.call.object + w.call.name, w.call.number).second) continue;
            for (auto const other : w.ranks) {
                if (other == to) return true;
                if (seen.insert(other).second) left.push_back(other);
            }
        }
    }
    return false;
}

std::optional<int> wait_graph::next_of_kind(int rank, bool is_collective) const {
    for (auto const& w : waits(rank))
        if (w.call.name != "Finalize" && (w.what == rank_wait::kind::collective) == is_collective)
            return w.ranks.front();
    return std::nullopt;
}

/// Along the first wait of the kind, until a rank comes twice. Empty if none does.
std::vector<int> wait_graph::cycle_from(int first, bool is_collective) const {
    std::vector<int> path;
    for (std::optional<int> at = first; at; at = next_of_kind(*at, is_collective)) {
        auto const again = std::find(path.begin(), path.end(), *at);
        if (again == path.end()) {
            path.push_back(*at);
            continue;
        }
        path.erase(path.begin(), again);
        std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
        return path;
    }
    return {};
}

std::vector<std::vector<int>> wait_graph::cycles() const {
    std::set<std::vector<int>> found;
    for (auto const is_collective : {false, true})
        for (auto const& [first, ignored] : waits_)
            if (auto cycle = cycle_from(first, is_collective); !cycle.empty()) found.insert(std::move(cycle));
    return {found.begin(), found.end()};
}

} // namespace tools::replay
