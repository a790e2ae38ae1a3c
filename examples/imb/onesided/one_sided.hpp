// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "contents.hpp"
#include "epochs.hpp"
#include "operations.hpp"
#include "place.hpp"

#include <sonde/mpi/rma/epochs.hpp>
#include <sonde/run.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace imb {

/// How many transfers a repetition has: one at most, without a loop in the timed code, or several.
enum class per_repetition : unsigned char { one, several };

namespace detail {

template <per_repetition Many, class MakeOperation>
auto transfers_of(place const& at, MakeOperation make, strides const& by) {
    using operation = decltype(make(at.of({-1})));
    if constexpr (Many == per_repetition::one) {
        return slotwise<operation>{make(at.of(at.mine().empty() ? lane{-1} : at.mine().front())), by};
    } else {
        std::vector<operation> all;
        for (auto const& l : at.mine()) all.push_back(make(at.of(l)));
        return slotwise_each<operation>{std::move(all), by};
    }
}

} // namespace detail

/// A pattern at a place: `acts`, whether this rank's transfers are made; over so many slots. Collective over the group.
template <per_repetition Many, class MakeOperation, class MakeEpoch>
auto pattern_at(place const& at, MakeOperation operation, MakeEpoch epoch, bool acts, std::size_t slots) {
    return accesses{epoch(at), at.plays(acts), at.when(), detail::transfers_of<Many>(at, operation, at.over(slots))};
}

/// A loop timed as a whole, or the repetitions one by one without barriers between: IMB has none of its own where an
/// epoch begins and ends with a fence.
inline imb::plan plan_at(place const& at, std::size_t n) {
    auto const& on = at.on();
    if (!at.how().clock_each || at.when() == completion::of_all) return on.whole(n);
    return on.each(n).synchronized(starting{false, on.asked.own_barrier, on.all_groups});
}

/// This rank's part of the window, for loads and stores of one's own: with passive targets under a lock, which in MPI's
/// model of separate copies is what makes them agree with what others see.
template <sonde::Epoch E>
std::optional<sonde::mpi::scoped_locks> own_part(place const& at) {
    if constexpr (!sonde::PassiveEpoch<E>) return std::nullopt;
    else
        return sonde::mpi::scoped_locks{at.window(), sonde::mpi::peer{at.on().group.rank()},
                                        sonde::mpi::lock_type::exclusive};
}

/// What the ranks find wrong after these have acted, each slot of a few once or twice. Collective over the group.
template <per_repetition Many, class MakeOperation, class MakeEpoch>
double defects_of(place const& at, MakeOperation operation, MakeEpoch epoch, std::vector<int> const& origins) {
    using epoch_type = decltype(epoch(at));
    auto const& group = at.on().group;
    auto const slots = std::min<std::size_t>(at.slots(), 3);
    contents const memory{at, slots};
    {
        auto const own = own_part<epoch_type>(at);
        memory.write();
    }
    group.barrier();
    {
        auto const acts = std::find(origins.begin(), origins.end(), group.rank()) != origins.end();
        auto pattern = pattern_at<Many>(at, operation, epoch, acts, slots);
        for (std::size_t pass = 0; pass != contents::passes(at.how().leaves); ++pass) {
            for (std::size_t i = 0; i != slots; ++i) pattern();
            sonde::complete(pattern);
        }
    } // gives back the locks: what was complete at the origin is at the targets, too
    group.barrier();
    auto const own = own_part<epoch_type>(at);
    return memory.deviation(origins);
}

/// A pass of its own: the origins one after the other, or at once where that is defined. Collective over the group.
template <per_repetition Many, class MakeOperation, class MakeEpoch>
double defects_at(place const& at, MakeOperation operation, MakeEpoch epoch) {
    std::vector<std::vector<int>> rounds;
    for (int rank = 0; rank != at.on().group.size(); ++rank) {
        if (at.lanes_of_rank(rank).empty()) continue;
        if (rounds.empty() || !contents::at_once(at.how().leaves)) rounds.emplace_back();
        rounds.back().push_back(rank);
    }
    std::array<double, 1> worst{};
    for (auto const& origins : rounds) worst[0] = std::max(worst[0], defects_of<Many>(at, operation, epoch, origins));
    at.on().group.all_reduce(worst, sonde::reduction::max);
    return worst[0];
}

/// A row's `make`, of its operation and its epoch: the window is made once for a size, locks once for a run.
template <per_repetition Many = per_repetition::one, class MakeOperation, class MakeEpoch>
auto one_sided(access how, MakeOperation operation, MakeEpoch epoch) {
    return [=](setting& on) -> work {
        auto const at = std::make_shared<place>(on, how);
        work made;
        made.measure = [=](std::size_t n) -> outcome {
            auto pattern = pattern_at<Many>(*at, operation, epoch, true, at->slots());
            return {sonde::run(at->on().group, plan_at(*at, n), pattern, at->on().point()), {}, {}};
        };
        made.defects = [=] { return defects_at<Many>(*at, operation, epoch); };
        return made;
    };
}

} // namespace imb
