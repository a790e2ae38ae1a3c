// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/awaited_calls.hpp"

#include <algorithm>

namespace tools::replay {

namespace {

bool is_partitioned(step const& s) { return s.call == "Psend_init" || s.call == "Precv_init"; }

wait_pattern pattern_of_all(std::string const& name) {
    if (name == "Barrier") return wait_pattern::wait_at_barrier;
    return name == "Scan" || name == "Exscan" ? wait_pattern::early_scan : wait_pattern::wait_at_nxn;
}

/// The only rank in the communicator that a receive from any source matched.
std::optional<int> only_match(thread_trace const& of, step const& s) {
    auto const found = of.matched.find(s.place);
    if (found == of.matched.end() || found->second.size() != 1 || found->second[0].first < 0) return std::nullopt;
    return found->second[0].first;
}

} // namespace

awaited_calls::operation& awaited_calls::operation_at(place const& p) {
    if (p.in != nullptr) return p.in->ranks[p.at].what;
    return p.is_sent ? p.of->sent[p.at] : p.of->received[p.at];
}

void awaited_calls::skip_requests(std::size_t rank, std::size_t n) { ranks_[rank].next_request += n; }

void awaited_calls::add(thread_trace const& of, persistent_requests const& persistent, step const& s,
                        std::size_t call) {
    auto& own = ranks_[static_cast<std::size_t>(of.rank)];
    if (s.is_invalid) return;
    if (starts_persistent(s)) {
        for (auto const number : s.requests)
            if (auto const* made = persistent.maker(s, number); made != nullptr && !is_partitioned(*made))
                own.persistent[number] = start(of, *made, call, false);
    } else if (completes_named(s) && s.call != "Request_free") {
        complete(own, s, call);
    } else if (completes_any(s)) {
        unknown_completions_ += static_cast<double>(std::max<std::int64_t>(s.what.count, 0));
    } else if (!s.call.ends_with("_init")) {
        auto started = start(of, s, call, !starts_request(s));
        if (starts_request(s)) own.requests[own.next_request++] = std::move(started);
    }
}

std::vector<awaited_calls::place> awaited_calls::start(thread_trace const& of, step const& s, std::size_t call,
                                                       bool is_blocking) {
    std::vector<place> found;
    if (s.what.comm < 0 || of.communicators[static_cast<std::size_t>(s.what.comm)].world.empty()) return found;
    operation const made{call, is_blocking ? call : unknown, is_buffered(s)};
    if (is_collective(s) && !s.call.starts_with("Neighbor") && !s.call.starts_with("Ineighbor"))
        found.push_back(collect(of, s, made));
    if (sends(s) && s.what.to >= 0)
        if (auto const at = send(of, s, made)) found.push_back(*at);
    if (receives(s) || s.call == "Probe")
        if (auto const at = receive(of, s, made)) found.push_back(*at);
    return found;
}

std::optional<awaited_calls::place> awaited_calls::send(thread_trace const& of, step const& s, operation made) {
    auto const& in = of.communicators[static_cast<std::size_t>(s.what.comm)];
    auto const to = in.world[static_cast<std::size_t>(in.partner(s.what.to))];
    auto& all = messages_[{in.text, of.rank, to, s.what.tag}];
    all.sent.push_back(made);
    return place{&all, true, nullptr, all.sent.size() - 1};
}

std::optional<awaited_calls::place> awaited_calls::receive(thread_trace const& of, step const& s, operation made) {
    if (s.what.from == null_partner) return std::nullopt;
    auto const& in = of.communicators[static_cast<std::size_t>(s.what.comm)];
    auto const match = only_match(of, s);
    auto const is_known = s.what.from >= 0 || match.has_value();
    if (!is_known || s.what.recv_tag < 0) {
        takes_any_.insert({in.text, of.rank});
        return std::nullopt;
    }
    auto const from = static_cast<std::size_t>(s.what.from >= 0 ? in.partner(s.what.from) : *match);
    if (from >= in.world.size()) return std::nullopt;
    auto& all = messages_[{in.text, in.world[from], of.rank, s.what.recv_tag}];
    if (s.call == "Probe") {
        all.probed.emplace_back(all.received.size(), made.started);
        return std::nullopt;
    }
    all.received.push_back(made);
    return place{&all, false, nullptr, all.received.size() - 1};
}

awaited_calls::place awaited_calls::collect(thread_trace const& of, step const& s, operation made) {
    auto const& in = of.communicators[static_cast<std::size_t>(s.what.comm)];
    auto const number = ranks_[static_cast<std::size_t>(of.rank)].collectives[in.text]++;
    auto& all = collectives_[{in.text, number}];
    all.name = blocking_name(s.call);
    all.root = s.what.root;
    all.ranks.push_back({in.rank, of.rank, made});
    return {nullptr, false, &all, all.ranks.size() - 1};
}

void awaited_calls::complete(rank_state& own, step const& s, std::size_t call) {
    for (auto const age : s.requests) {
        if (age < 0) {
            if (auto const active = own.persistent.find(age); active != own.persistent.end()) {
                for (auto const& p : active->second) operation_at(p).completed = call;
                own.persistent.erase(active);
            }
        } else if (age > 0 && static_cast<std::size_t>(age) <= own.next_request) {
            auto const open = own.requests.find(own.next_request - static_cast<std::size_t>(age));
            if (open == own.requests.end()) continue; // started before the block
            for (auto const& p : open->second) operation_at(p).completed = call;
            own.requests.erase(open);
        }
    }
}

double awaited_calls::left_out() const {
    auto all = unknown_completions_;
    for (auto const& [key, of] : messages_)
        if (takes_any(std::get<0>(key), std::get<2>(key))) all += static_cast<double>(of.sent.size());
    return all;
}

void awaited_calls::resolve(timed_block& block) const {
    for (auto const& [key, of] : messages_) resolve(key, of, block);
    for (auto const& [key, of] : collectives_) resolve(of, block);
}

/// Messages of a rank to another one are received in the order in which they are sent.
void awaited_calls::resolve(message_key const& key, messages const& of, timed_block& block) const {
    auto const& [text, from, to, tag] = key;
    if (takes_any(text, to)) return;
    auto& sender = block[static_cast<std::size_t>(from)];
    auto& receiver = block[static_cast<std::size_t>(to)];
    for (std::size_t i = 0; i != std::min(of.sent.size(), of.received.size()); ++i) {
        auto const &sent = of.sent[i], &received = of.received[i];
        if (received.completed != unknown)
            receiver[received.completed].awaits.push_back({from, sent.started, wait_pattern::late_sender});
        if (sent.completed != unknown && !sent.is_buffered)
            sender[sent.completed].awaits.push_back({to, received.started, wait_pattern::late_receiver});
    }
    for (auto const& [message, call] : of.probed)
        if (message < of.sent.size())
            receiver[call].awaits.push_back({from, of.sent[message].started, wait_pattern::late_sender});
}

void awaited_calls::resolve(collective const& of, timed_block& block) {
    auto const begin_of = [&](participant const& p) {
        return block[static_cast<std::size_t>(p.world)][p.what.started].begin;
    };
    auto const await = [&](participant const& who, participant const& other, wait_pattern pattern) {
        if (who.what.completed == unknown || who.world == other.world) return;
        block[static_cast<std::size_t>(who.world)][who.what.completed].awaits.push_back(
            {other.world, other.what.started, pattern});
    };
    for (auto const& p : of.ranks)
        if (p.what.completed != unknown)
            block[static_cast<std::size_t>(p.world)][p.what.completed].is_collective = true;
    auto ranks = of.ranks;
    std::sort(ranks.begin(), ranks.end(), [](auto const& a, auto const& b) { return a.rank < b.rank; });
    auto const latest = [&](auto const& is_among) {
        participant const* found = nullptr;
        for (auto const& p : ranks)
            if (is_among(p) && (found == nullptr || begin_of(p) > begin_of(*found))) found = &p;
        return found;
    };
    auto const is_root = [&](participant const& p) { return p.rank == of.root; };
    auto const* const root = latest(is_root);
    auto const& name = of.name;
    if (name == "Bcast" || name == "Scatter" || name == "Scatterv") {
        for (auto const& p : ranks)
            if (root != nullptr) await(p, *root, wait_pattern::late_broadcast);
    } else if (name == "Reduce" || name == "Gather" || name == "Gatherv") {
        auto const* const last = latest([&](auto const& p) { return !is_root(p); });
        if (root != nullptr && last != nullptr) await(*root, *last, wait_pattern::early_reduce);
    } else if (pattern_of_all(name) == wait_pattern::early_scan) {
        participant const* last = nullptr;
        for (auto const& p : ranks) {
            if (last != nullptr) await(p, *last, wait_pattern::early_scan);
            if (last == nullptr || begin_of(p) > begin_of(*last)) last = &p;
        }
    } else if (auto const* const last = latest([](auto const&) { return true; })) {
        for (auto const& p : ranks) await(p, *last, pattern_of_all(name));
    }
}

} // namespace tools::replay
