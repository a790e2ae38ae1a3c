// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "collective_kinds.hpp"
#include "contents.hpp"
#include "setting.hpp"

#include <sonde/buffer.hpp>
#include <sonde/run.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace imb {

inline recipe recipe_of(setting const& s) {
    auto const root = s.asked.root_shift && s.test.rooted ? mpi::root_rank::rotating() : mpi::root_rank{0};
    return {{s.group, s.block_of(s.bytes), root}, s.sum};
}

template <class K>
constexpr bool is_barrier = std::is_same_v<K, mpi::barrier>;

/// Each call is timed, with barriers in between that are not; but of barriers the loop as a whole.
template <mpi::CollectiveOperation K>
plan plan_for(K const&, setting const& s, std::size_t n) {
    return (is_barrier<K> ? s.whole(n) : s.each(n)).keep({.rank_means = true});
}

/// `Form{kind, out, in}` on the slots of repetitions.
template <template <class, class, class> class Form, mpi::CollectiveOperation K>
auto pattern_on(K const& kind, setting const& s) {
    if constexpr (is_barrier<K>) return Form<K, sonde::slice, sonde::slice>{kind};
    else
        return Form<K, sonde::rotating, sonde::rotating>{kind, s.sends.of(s.send, kind.send_bytes()),
                                                         s.receives.of(s.receive, kind.recv_bytes())};
}

/// The same on the first slot alone. Ranks make as many persistent requests as slots, and have to make equally many.
template <template <class, class, class> class Form, mpi::CollectiveOperation K>
auto pattern_on_first(K const& kind, setting const& s) {
    return Form<K, sonde::slice, sonde::slice>{kind, s.send.first(kind.send_bytes()),
                                               s.receive.first(kind.recv_bytes())};
}

/// What a form of a collective does to contents, for each root. Collective.
template <template <class, class, class> class Form, mpi::CollectiveOperation K>
double defects_of(K const& kind, setting& s) {
    auto const shifts = s.asked.root_shift && s.test.rooted;
    auto const ranks = static_cast<std::size_t>(s.group.size());
    auto pattern = pattern_on_first<Form>(kind, s);
    auto const moved = [&](std::size_t round) {
        return movement_of(kind, shifts ? static_cast<int>(round % ranks) : 0, s.group.rank());
    };
    regions const here{s.send.bytes(), s.receive.bytes()};
    return largest_deviation(
        s, here, [&pattern] { pattern(); }, moved, std::max<std::size_t>(3, shifts ? ranks : 0));
}

} // namespace imb
