// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/told_by.hpp>
#include <sonde/group.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::detail {

inline constexpr auto nowhere = static_cast<std::size_t>(-1);

/// A region's name, and which region of the same list it is within. Outer ones come before those within.
struct place {
    std::size_t outer = nowhere;
    std::string name;

    bool operator==(place const&) const = default;
};
using places = std::vector<place>;

/// Where the place stands, at the end where it is new.
inline std::size_t adopt(places& all, place one) {
    std::size_t i = 0;
    while (i != all.size() && all[i] != one) ++i;
    if (i == all.size()) all.push_back(std::move(one));
    return i;
}

/// Where each of `mine` stands among all, new ones at the end.
inline std::vector<std::size_t> adopt(places& all, places const& mine) {
    std::vector<std::size_t> at;
    for (auto const& [outer, name] : mine) at.push_back(adopt(all, {outer == nowhere ? nowhere : at[outer], name}));
    return at;
}

/// As numbers, by which a group talks: the outer one, the length, the characters.
inline std::vector<double> numbers_of(places const& all, std::size_t first) {
    std::vector<double> numbers;
    for (; first != all.size(); ++first) {
        auto const& [outer, name] = all[first];
        numbers.push_back(outer == nowhere ? -1 : static_cast<double>(outer));
        numbers.push_back(static_cast<double>(name.size()));
        for (char const c : name) numbers.push_back(static_cast<unsigned char>(c));
    }
    return numbers;
}

inline void append(places& all, std::vector<double> const& numbers) {
    for (auto next = numbers.begin(); next != numbers.end();) {
        place one{*next < 0 ? nowhere : static_cast<std::size_t>(*next),
                  std::string(static_cast<std::size_t>(next[1]), ' ')};
        next += 2;
        for (char& c : one.name) c = static_cast<char>(static_cast<unsigned char>(*next++));
        all.push_back(std::move(one));
    }
}

/// All ranks' places, the same list on every rank: of the first rank, then what the first of the others has more, and
/// so on. Where all ranks have the same it takes two rounds. Collective over the group.
template <Group G>
places agree_on(G& group, places const& mine) {
    for (places all;;) {
        auto more = all;
        adopt(more, mine);
        double first[1] = {static_cast<double>(more.size() == all.size() ? group.size() : group.rank())};
        group.all_reduce(first, reduction::min);
        if (first[0] == group.size()) return all;
        append(all, detail::told_by(static_cast<int>(first[0]), group, numbers_of(more, all.size())));
    }
}

inline void append_within(places const& from, std::size_t outer, std::size_t stands, places& into) {
    for (std::size_t i = 0; i != from.size(); ++i) {
        if (from[i].outer != outer) continue;
        into.push_back({stands, from[i].name});
        append_within(from, i, into.size() - 1, into);
    }
}

/// The same, each with all that is within it behind it.
inline places nested(places const& all) {
    places sorted;
    append_within(all, nowhere, nowhere, sorted);
    return sorted;
}

} // namespace sonde::detail
