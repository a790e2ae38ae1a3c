// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/site_operation.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <set>

namespace tools::replay {

namespace {

bool is_send(step const& s) { return s.what.to >= 0 && s.what.comm >= 0 && s.what.count != absent; }
bool is_receive(step const& s) {
    return s.what.from != absent && s.what.from != null_partner && s.what.recv_count != absent;
}
bool blocks(step const& s) { return !starts_request(s) && s.requests.empty(); }

} // namespace

int site_operation::ranks() const {
    return static_cast<int>(
        std::count_if(steps.begin(), steps.end(), [](auto const& of_rank) { return !of_rank.empty(); }));
}

std::string site_operation::call_text() const {
    std::string text;
    std::set<std::string> named;
    for (auto const& c : calls)
        if (named.insert(c.call).second) text += (text.empty() ? "" : ", ") + c.call;
    return text;
}

std::string site_operation::site_text() const {
    std::set<std::string> sites;
    for (auto const& c : calls) sites.insert(c.site);
    if (sites.empty()) return "-";
    return calls.front().site + (sites.size() == 1 ? "" : " and " + std::to_string(sites.size() - 1) + " more");
}

std::vector<exchanged_message> messages_of(trace const& t, site_operation const& exchange) {
    std::vector<exchanged_message> found;
    for (std::size_t rank = 0; rank != exchange.steps.size(); ++rank) {
        auto const& thread = t.threads[rank];
        auto const& calls = t.programs[thread.program];
        for (auto const& s : exchange.steps[rank]) {
            if (!is_send(s)) continue;
            auto const& in = thread.communicators[static_cast<std::size_t>(s.what.comm)];
            auto const to = in.world[static_cast<std::size_t>(in.partner(s.what.to))];
            auto const bytes = static_cast<double>(s.what.count * calls.size_of(s.what.type));
            found.push_back({static_cast<int>(rank), to, bytes});
        }
    }
    return found;
}

message_order order_of(std::vector<step> const& steps) {
    message_order found;
    bool has_received = false, has_sent = false, receives_after_sending = false;
    std::size_t completions = 0;
    for (auto const& s : steps) {
        auto const is_message = is_send(s) || is_receive(s);
        found.sends_after_receiving = found.sends_after_receiving || (is_send(s) && has_received);
        found.is_at_once = found.is_at_once && !(is_message && (blocks(s) || completions != 0));
        has_sent = has_sent || is_send(s);
        receives_after_sending = receives_after_sending || (is_receive(s) && has_sent);
        has_received = has_received || (is_receive(s) && blocks(s));
        if (is_message) continue;
        ++completions;
        has_received = true; // a completion of sends alone counts too: a message may depend on what came before
    }
    found.is_at_once = found.is_at_once && completions <= 1;
    found.receives_all_first = found.sends_after_receiving && !receives_after_sending;
    return found;
}

} // namespace tools::replay
