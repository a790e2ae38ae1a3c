// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/one_sided/instance.hpp"

#include <sonde/mpi/rma/epochs.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace imb {

/// Transfers of a rank in a repetition: at most one, without a loop in the timed code, or several.
enum class per_repetition : unsigned char { one, several };

namespace epochs {

using namespace suite::epochs;

/// MPI_Win_fence after the transfers only. The fence before them is the previous one, or the constructor's. Collective
/// over the window's group.
class closing_fence_epoch {
public:
    explicit closing_fence_epoch(sonde::mpi::created_window const& w) : fence_{w} { fence_.open(sonde::both_sides{}); }
    void open(auto) const {}
    void close(auto side) const { fence_.close(side); }

private:
    sonde::mpi::fence fence_;
};
inline constexpr auto closing_fence = [](auto const& a) { return closing_fence_epoch{a.window}; };

/// MPI_Win_fence before and after the transfers, with the assertions that no epoch precedes or succeeds.
inline constexpr auto fence_pair = [](auto const& a) {
    return sonde::mpi::fence{a.window, MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED};
};

} // namespace epochs

namespace detail {

template <rma_operation Op, per_repetition N>
auto transfers_of(rma_instance const& at, slot_strides const& by) {
    using operation = decltype(suite::transfer_of<Op>(at.arguments({-1})));
    if constexpr (N == per_repetition::one) {
        auto const first = at.is_origin() ? at.transfers().front() : transfer{-1};
        return advancing_transfer<operation>{suite::transfer_of<Op>(at.arguments(first)), by};
    } else {
        std::vector<operation> all;
        for (auto const& t : at.transfers()) all.push_back(suite::transfer_of<Op>(at.arguments(t)));
        return advancing_transfers<operation>{std::move(all), by};
    }
}

} // namespace detail

/// The pattern of an operation and an epoch, over the first `slots` slots. A rank that does not act is a target only.
/// Collective over the setting's group.
template <rma_operation Op, per_repetition N, class MakeEpoch>
auto pattern_of(rma_instance const& at, MakeEpoch epoch, bool acts, std::size_t slots) {
    return accesses{epoch(at.epoch()), at.role(), acts && at.is_origin(), at.completion(),
                    detail::transfers_of<Op, N>(at, at.strides(slots))};
}

/// Plan of n repetitions: the loop as a whole, or each call without barriers between the calls, because their epochs
/// begin and end with a fence (IMB-EXT Accumulate).
inline plan plan_of(rma_instance const& at, std::size_t n) {
    auto const& s = at.setting();
    if (!at.timed_calls()) return s.timed_loop(n);
    return s.timed_calls(n).synchronized(start_barriers{false, s.options.own_barrier, s.all_groups});
}

/// The code of an operation and an epoch. The locks of a passive epoch last for a run.
template <rma_operation Op, per_repetition N = per_repetition::one, class MakeEpoch>
constexpr rma_code code_of(MakeEpoch /*epoch*/) {
    return {.operation = Op,
            .passive = sonde::PassiveEpoch<std::invoke_result_t<MakeEpoch, rma_epoch_arguments>>,
            .measure =
                [](rma_instance const& at, std::size_t n) {
                    auto pattern = pattern_of<Op, N>(at, MakeEpoch{}, true, at.slots());
                    return imb::run(at.setting().group, plan_of(at, n), pattern, at.setting().point());
                },
            .transfer =
                [](rma_instance const& at, bool acts, std::size_t slots, std::size_t passes) {
                    auto pattern = pattern_of<Op, N>(at, MakeEpoch{}, acts, slots);
                    for (; passes != 0; --passes) {
                        for (std::size_t i = 0; i != slots; ++i) pattern();
                        sonde::complete(pattern);
                    }
                }};
}

/// `benchmark::make` of a one-sided benchmark. The window is created once for a size.
inline std::function<work(setting&)> one_sided(rma_description const& what, rma_code const& code) {
    return [=](setting& s) -> work {
        auto const at = std::make_shared<rma_instance>(s, what, code.operation);
        return {.measure = [=](std::size_t n) -> result { return {code.measure(*at, n)}; },
                .defects = [=] { return defects_of(*at, code); }};
    };
}

/// A row of a one-sided benchmark: send and receive memory of one message each, and a slot for each repetition.
inline benchmark one_sided_row(std::string name, family kind, columns shows, std::function<work(setting&)> make) {
    benchmark row;
    row.name = std::move(name);
    row.kind = kind;
    row.shows = shows;
    row.make = std::move(make);
    row.needs = [](std::size_t s, std::size_t) { return lengths{s, s}; };
    row.disjoint = true;
    return row;
}

/// A row of a one-sided benchmark between two processes.
inline benchmark pair_row(std::string name, std::function<work(setting&)> make) {
    return one_sided_row(std::move(name), family::single_transfer, columns::time_bandwidth, std::move(make));
}

} // namespace imb
