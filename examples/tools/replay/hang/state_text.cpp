// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/state_text.hpp"

#include "tools/replay/trace/trace_text.hpp"

#include <algorithm>
#include <cstdio>

namespace tools::replay {

std::string grouped_number(std::uint64_t n) {
    auto text = std::to_string(n);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string rank_names(std::vector<int> const& ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + ranks_text(ranks);
}

std::string share_of_ranks(std::vector<int> const& ranks, std::size_t all) {
    if (ranks.size() == 1 && all > 1) return rank_names(ranks);
    if (ranks.size() == all) return all == 1 ? "the rank" : "all " + std::to_string(all) + " ranks";
    return std::to_string(ranks.size()) + " of " + std::to_string(all) + " ranks (" + ranks_text(ranks) + ')';
}

std::string object_name(shown_call const& call, int size) {
    if (call.object.empty()) return call.is_window ? "a window" : "a communicator that is not known";
    if (call.is_window) return call.object;
    auto const world = size == 1 ? std::string{"0"} : "0-" + std::to_string(size - 1);
    return call.object == world ? "MPI_COMM_WORLD" : "communicator " + call.object;
}

namespace {

std::string partner_text(std::int32_t rank) {
    if (rank == any_partner) return "any rank";
    return rank == null_partner ? "MPI_PROC_NULL" : "rank " + std::to_string(rank);
}

std::string tag_text(std::int32_t tag) {
    if (tag == absent) return {};
    return tag == any_tag ? ", any tag" : ", tag " + std::to_string(tag);
}

} // namespace

std::string arguments_text(shown_call const& call) {
    std::string text;
    if (call.root != absent && call.root >= 0) text += " with root " + std::to_string(call.root);
    if (call.to != absent) text += " to " + partner_text(call.to) + tag_text(call.tag);
    if (call.from != absent)
        text += (call.to != absent ? " and from " : " from ") + partner_text(call.from) + tag_text(call.recv_tag);
    return text;
}

std::string call_text(shown_call const& call, int size) {
    auto text = call.name;
    if (call.is_collective) {
        if (call.number != 0) text += " no. " + grouped_number(call.number);
        text += " of " + object_name(call, size);
    }
    auto const arguments = arguments_text(call);
    text += arguments;
    if (!call.site.empty()) text += (arguments.find(',') == arguments.npos ? " at " : ", at ") + call.site;
    return text;
}

std::string duration_text(double seconds) {
    char text[32];
    if (seconds < 600) std::snprintf(text, sizeof text, "%.1f s", seconds);
    else if (seconds < 36000) std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
    else std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
    return text;
}

std::string scope_text(std::vector<rank_state const*> const& ranks) {
    std::string text;
    for (std::size_t i = 0; i != ranks.front()->scopes.size(); ++i) {
        auto const& first = ranks.front()->scopes[i];
        auto least = first.pass, most = first.pass;
        auto seconds = first.seconds;
        for (auto const* const rank : ranks) {
            auto const& s = rank->scopes.at(i);
            least = std::min(least, s.pass);
            most = std::max(most, s.pass);
            seconds = std::min(seconds, s.seconds);
        }
        text += (i == 0 ? "in " : " and in ") +
                std::string{first.kind == sonde::scope_kind::part ? "scope" : to_string(first.kind)} + " `" +
                first.name + "`, pass" + (least == most ? " " : "es ") + grouped_number(least) +
                (least == most ? "" : " to " + grouped_number(most)) + ", for " + duration_text(seconds) +
                (ranks.size() == 1 ? "" : " or longer");
    }
    return text;
}

namespace {

/// ", in scope `relax`, pass 41, for 4.2 s"
std::string own_scope_text(rank_state const& s) { return s.scopes.empty() ? "" : ", " + scope_text({&s}); }

} // namespace

std::string outside_text(rank_state const& s) {
    if (s.call.name.empty()) return "has made no call of MPI since MPI_Init" + own_scope_text(s);
    auto text = "has not been in MPI for " + duration_text(s.seconds);
    char share[48] = {};
    std::snprintf(share, sizeof share, " (%.0f %% of a core)", 100 * s.processor);
    if (s.processor >= 0) text += std::string{s.processor < 0.05 ? " and sleeps" : " and computes"} + share;
    return text + own_scope_text(s) + ", after " + call_text(s.call, s.size);
}

std::string activity_text(rank_state const& s) {
    switch (s.activity) {
    case rank_activity::in_call:
        return "is in " + call_text(s.call, s.size) + own_scope_text(s);
    case rank_activity::polls:
        return "polls by " + call_text(s.call, s.size) + own_scope_text(s);
    case rank_activity::outside:
        return outside_text(s);
    case rank_activity::stopped:
        return "is stopped";
    case rank_activity::has_ended:
        return "has ended without MPI_Finalize";
    case rank_activity::goes_on:
        break;
    }
    return "goes on";
}

} // namespace tools::replay
