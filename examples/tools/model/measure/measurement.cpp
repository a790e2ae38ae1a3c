// SPDX-License-Identifier: BSL-1.0
#include "tools/model/measure/measurement.hpp"

#include "tools/model/measure/log_gp_measurement.hpp"
#include "tools/model/measure/sampling.hpp"
#include "tools/ranks.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <mpi.h>

#include <optional>
#include <utility>

namespace tools::model {

namespace {

using records = std::vector<sonde::record>;

/// Ranks of the first `pairs` pairs, in the order of `active_ranks`.
std::optional<sonde::mpi::group> group_of(sonde::mpi::group const& world, pair_placement const& placement,
                                          std::size_t pairs) {
    auto color = MPI_UNDEFINED, key = 0;
    for (std::size_t i = 0; i != pairs; ++i) {
        auto const& [initiator, responder] = placement.pairs[i];
        if (world.rank() != initiator && world.rank() != responder) continue;
        color = 0;
        key = static_cast<int>(world.rank() == initiator ? i : pairs + i);
    }
    return split(world, color, key);
}

sonde::mpi::group own_pair(sonde::mpi::group const& group) {
    return std::move(*split(group, group.rank() % (group.size() / 2), group.rank()));
}

/// Measures one point.
struct point_measurement {
    active_ranks& ranks;
    measure_options const& options;
    measurement_point const& at;
    sonde::slice out, in;

    auto plan() const { return plan_of(options, at.bytes); }
    auto ping_pong() const {
        return sonde::ping_pong{sonde::mpi::link{ranks.group, ranks.pairing.peer}, ranks.pairing.role, out, in};
    }

    records one_pair() const {
        return {sonde::run(ranks.group, plan(), ping_pong(), {"ping_pong", {{"bytes", at.bytes}}})};
    }

    /// All pairs begin every sample together.
    records common_start(sonde::point point) const {
        auto const start = skew_measured{sonde::barrier_each{}, ranks.clock};
        return {sonde::run(ranks.group, plan().synchronized(start), ping_pong(), std::move(point))};
    }

    records two_pairs_apart() const {
        constexpr std::size_t default_warmup = 10;
        auto pattern = ping_pong();
        apart_start const start{pattern, ranks.pair, options.warmup.value_or(default_warmup)};
        auto const apart =
            plan().warmup(0).synchronized(skew_measured{start, ranks.clock}).keep({.sample_means = true});
        auto r =
            sonde::run(ranks.group, apart, pattern, {"multi_ping_pong", {{"bytes", at.bytes}, {"start", "apart"}}});
        add_bandwidths(r);
        return {std::move(r)};
    }

    records log_gp() const {
        sonde::mpi::link const link{ranks.group, ranks.pairing.peer};
        log_gp_measurement const round_trips{options.messages, message_endpoint{link, ranks.pairing.role, out, in},
                                             token_endpoint{link, sonde::slice{}}, sonde::busy_wait{}};
        return round_trips(ranks.group, plan());
    }
};

} // namespace

active_ranks::active_ranks(sonde::mpi::group from)
    : group{std::move(from)}, pairing{sonde::pair_of(group.rank(), group.size() / 2)}, pair{own_pair(group)},
      clock{sonde::synchronized_start{group}} {}

measurement::measurement(measure_options const& options, std::size_t largest_message)
    : options_{options}, out_{largest_message}, in_{largest_message} {
    out_.fill(std::byte{1});
    in_.fill(std::byte{0});
}

void measurement::prepare(sonde::mpi::group const& world, pair_placement const& placement,
                          std::vector<measurement_point> const& points) {
    for (auto const& p : points) {
        if (ranks_.contains(p.pairs)) continue;
        auto group = group_of(world, placement, p.pairs);
        ranks_[p.pairs] = group ? std::make_unique<active_ranks>(std::move(*group)) : nullptr;
    }
}

records measurement::operator()(sonde::mpi::group const& world, measurement_point const& point) {
    sleeping_barrier(world);
    auto const& ranks = ranks_.at(point.pairs);
    return ranks ? measure_on(*ranks, point) : records{};
}

records measurement::measure_on(active_ranks& ranks, measurement_point const& point) const {
    point_measurement const m{ranks, options_, point, out_.first(point.bytes), in_.first(point.bytes)};
    switch (options_.model) {
    case model_kind::hockney:
        return m.one_pair();
    case model_kind::multi:
        if (options_.start == pair_start::apart) return m.two_pairs_apart();
        return m.common_start({"multi_ping_pong", {{"bytes", point.bytes}, {"start", "common"}}});
    case model_kind::max_rate:
        return m.common_start({"max_rate", {{"bytes", point.bytes}, {"pairs", point.pairs}}});
    case model_kind::log_gp:
        break;
    }
    return m.log_gp();
}

} // namespace tools::model
