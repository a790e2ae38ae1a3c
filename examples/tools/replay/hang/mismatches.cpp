// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/mismatches.hpp"

#include "tools/replay/hang/state_text.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace tools::replay {

namespace {

/// Calls of one number on one object, by rank.
using call_set = std::map<int, shown_call>;

/// By object and number.
std::map<std::pair<std::string, std::uint64_t>, call_set> collectives_in(std::vector<rank_state> const& states) {
    std::map<std::pair<std::string, std::uint64_t>, call_set> found;
    auto const add = [&](rank_state const& of, shown_call const& c) {
        auto const is_comparable = c.number != 0 && !c.object.empty() && !members_of(c.object, of.size).empty();
        if (is_comparable) found[{c.object, c.number}].emplace(of.rank, c);
    };
    for (auto const& s : states) {
        for (auto const& c : s.collectives) add(s, c);
        if (s.activity == rank_activity::in_call && s.call.is_collective) add(s, s.call);
    }
    return found;
}

/// Neighbors may agree about sizes without the others.
bool has_common_size(shown_call const& c) { return c.bytes >= 0 && c.name.find("eighbor") == c.name.npos; }

/// What must be equal, each with its text. An empty text: not known.
constexpr auto text_of_name = [](shown_call const& c) { return c.name; };
constexpr auto text_of_root = [](shown_call const& c) {
    return c.root < 0 ? std::string{} : c.name + " with root " + std::to_string(c.root);
};
constexpr auto text_of_operation = [](shown_call const& c) {
    return c.operation.empty() ? std::string{} : c.name + " by " + c.operation;
};
constexpr auto text_of_size = [](shown_call const& c) {
    if (!has_common_size(c)) return std::string{};
    return c.name + " of " + grouped_number(static_cast<std::uint64_t>(c.count)) +
           (c.count == 1 ? " element, " : " elements, ") + grouped_number(static_cast<std::uint64_t>(c.bytes)) +
           " bytes";
};

using text_function = std::function<std::string(shown_call const&)>;

/// The ranks of each text, those of the most ranks first. The size of a call is its bytes.
std::vector<std::pair<std::string, std::vector<int>>> parted(call_set const& calls, text_function const& text,
                                                             bool by_bytes) {
    std::map<std::string, std::pair<std::string, std::vector<int>>> parts;
    for (auto const& [rank, call] : calls) {
        auto const its_text = text(call);
        if (its_text.empty()) continue;
        auto& part = parts[by_bytes ? std::to_string(call.bytes) : its_text];
        part.first = its_text;
        part.second.push_back(rank);
    }
    std::vector<std::pair<std::string, std::vector<int>>> sorted;
    for (auto& [key, part] : parts) sorted.push_back(std::move(part));
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](auto const& a, auto const& b) { return a.second.size() > b.second.size(); });
    return sorted;
}

finding mismatch(call_set const& calls, std::vector<std::pair<std::string, std::vector<int>>> const& parts, int size) {
    auto const& any = calls.begin()->second;
    finding found{finding_kind::mismatch,
                  {},
                  "collective no. " + grouped_number(any.number) + " of " + object_name(any, size) + " differs: ",
                  any.object};
    for (auto const& [text, ranks] : parts) {
        auto const is_most = &ranks == &parts.front().second;
        auto const& site = calls.at(ranks.front()).site;
        found.text +=
            (is_most ? "" : ", but ") + text + " on " + rank_names(ranks) + (site.empty() ? "" : " at " + site);
        if (!is_most) found.ranks.insert(found.ranks.end(), ranks.begin(), ranks.end());
    }
    std::sort(found.ranks.begin(), found.ranks.end());
    return found;
}

} // namespace

std::vector<finding> mismatches_in(std::vector<rank_state> const& states) {
    std::array<text_function, 4> const compared{text_of_name, text_of_root, text_of_operation, text_of_size};
    std::vector<finding> found;
    std::string done; // the object whose first difference is found
    for (auto const& [key, calls] : collectives_in(states)) {
        if (key.first == done) continue;
        for (std::size_t i = 0; i != compared.size(); ++i) {
            auto const parts = parted(calls, compared[i], i + 1 == compared.size());
            if (parts.size() < 2) continue;
            found.push_back(mismatch(calls, parts, states.front().size));
            done = key.first;
            break;
        }
    }
    return found;
}

std::string other_site_of(std::vector<rank_state> const& states, int rank, std::string const& object) {
    for (auto const& [key, calls] : collectives_in(states)) {
        auto const own = calls.find(rank);
        if (key.first != object || own == calls.end() || own->second.site.empty()) continue;
        auto const parts = parted(
            calls, [](shown_call const& c) { return c.site; }, false);
        if (parts.size() < 2 || parts.front().second.size() < 2 || parts.front().first == own->second.site) continue;
        return "no. " + grouped_number(key.second) + " is at " + own->second.site + " there, and at " +
               parts.front().first + " on " + rank_names(parts.front().second);
    }
    return {};
}

} // namespace tools::replay
