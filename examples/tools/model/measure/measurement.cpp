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
    int color = MPI_UNDEFINED, key = 0;
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

class point_on_ranks : public point_measurement {
    // Functions with deduced types come before their users.
    auto plan() const { return plan_of(options_, at_.bytes); }
    auto ping_pong() const {
        return sonde::ping_pong{sonde::mpi::link{ranks_.group, ranks_.pairing.peer}, ranks_.pairing.role, out_, in_};
    }

public:
    point_on_ranks(active_ranks& ranks, measure_options const& options, measurement_point const& at, sonde::slice out,
                   sonde::slice in)
        : ranks_{ranks}, options_{options}, at_{at}, out_{out}, in_{in} {}

    records one_pair() const override {
        return {sonde::run(ranks_.group, plan(), ping_pong(), {"ping_pong", {{"bytes", at_.bytes}}})};
    }
    records two_pairs() const override {
        if (options_.start == pair_start::apart) return two_pairs_apart();
        return common_start({"multi_ping_pong", {{"bytes", at_.bytes}, {"start", "common"}}});
    }
    records several_pairs() const override {
        return common_start({"max_rate", {{"bytes", at_.bytes}, {"pairs", at_.pairs}}});
    }
    records round_trips() const override {
        sonde::mpi::link const link{ranks_.group, ranks_.pairing.peer};
        log_gp_measurement const measure{options_.messages, message_endpoint{link, ranks_.pairing.role, out_, in_},
                                         token_endpoint{link, sonde::slice{}}, sonde::busy_wait{}};
        return measure(ranks_.group, plan());
    }

private:
    /// All pairs begin every sample together.
    records common_start(sonde::point point) const {
        auto const start = skew_measured{sonde::barrier_each{}, ranks_.clock};
        return {sonde::run(ranks_.group, plan().synchronized(start), ping_pong(), std::move(point))};
    }

    records two_pairs_apart() const {
        constexpr std::size_t default_warmup = 10;
        auto pattern = ping_pong();
        apart_start const start{pattern, ranks_.pair, options_.warmup.value_or(default_warmup)};
        auto const apart =
            plan().warmup(0).synchronized(skew_measured{start, ranks_.clock}).keep({.sample_means = true});
        auto r =
            sonde::run(ranks_.group, apart, pattern, {"multi_ping_pong", {{"bytes", at_.bytes}, {"start", "apart"}}});
        add_bandwidths(r);
        return {std::move(r)};
    }

    active_ranks& ranks_;
    measure_options const& options_;
    measurement_point const& at_;
    sonde::slice out_, in_;
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
    if (!ranks) return {};
    point_on_ranks const m{*ranks, options_, point, out_.first(point.bytes), in_.first(point.bytes)};
    return (m.*row_of(options_.model).measured)();
}

} // namespace tools::model
