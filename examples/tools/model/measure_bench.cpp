// SPDX-License-Identifier: BSL-1.0
#include "measure_bench.hpp"

#include "measure_aggregate.hpp"
#include "measure_rule.hpp"
#include "measure_start.hpp"
#include "measure_team.hpp"

#include <sonde/model/log_gp_measurement.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/overlap.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/run.hpp>

#include <utility>

namespace tools::model {

namespace {

using records = std::vector<sonde::record>;

/// What one point is measured with.
struct point {
    team& with;
    measure_request const& asked;
    task const& what;
    sonde::slice out, in;

    auto plan() const { return plan_of(asked, what.bytes); }
    auto ping_pong() const {
        return sonde::ping_pong{sonde::mpi::link{with.ranks, with.pairing.peer}, with.pairing.role, out, in};
    }
};

records one_pair(point const& p) {
    return {sonde::run(p.with.ranks, p.plan(), p.ping_pong(), {"ping_pong", {{"bytes", p.what.bytes}}})};
}

/// All begin a sample together.
records at_once(point const& p, sonde::point at) {
    auto const together = watched{sonde::barrier_each{}, p.with.clock};
    return {sonde::run(p.with.ranks, p.plan().synchronized(together), p.ping_pong(), std::move(at))};
}

records two_pairs_apart(point const& p) {
    auto pattern = p.ping_pong();
    constexpr std::size_t usual_warmup = 10;
    pairs_apart const start{pattern, p.with.pair, p.asked.warmup.value_or(usual_warmup)};
    auto const plan = p.plan().warmup(0).synchronized(watched{start, p.with.clock}).keep({.sample_means = true});
    auto found =
        sonde::run(p.with.ranks, plan, pattern, {"multi_ping_pong", {{"bytes", p.what.bytes}, {"start", "apart"}}});
    add_bandwidths(found);
    return {std::move(found)};
}

records two_pairs(point const& p) {
    if (p.asked.start == starting::apart) return two_pairs_apart(p);
    return at_once(p, {"multi_ping_pong", {{"bytes", p.what.bytes}, {"start", "common"}}});
}

records parametrised(point const& p) {
    sonde::mpi::link const link{p.with.ranks, p.with.pairing.peer};
    sonde::model::log_gp_measurement const all{p.asked.messages,
                                               sonde::model::message_endpoint{link, p.with.pairing.role, p.out, p.in},
                                               sonde::model::token_endpoint{link, sonde::slice{}}, sonde::busy_wait{}};
    return all(p.with.ranks, p.plan());
}

} // namespace

team::team(sonde::mpi::group from)
    : ranks{std::move(from)}, pairing{sonde::pair_of(ranks.rank(), ranks.size() / 2)}, pair{pair_of(ranks)},
      clock{sonde::mpi::synchronized_start(ranks)} {}

bench::bench(measure_request const& asked, std::size_t largest_message)
    : asked_{asked}, out_{largest_message}, in_{largest_message} {
    out_.fill(std::byte{1});
    in_.fill(std::byte{0});
}

void bench::gather_teams(sonde::mpi::group const& world, places const& where, std::vector<task> const& tasks) {
    for (auto const& t : tasks) {
        if (teams_.contains(t.pairs)) continue;
        auto const end = where.pairs.begin() + static_cast<std::ptrdiff_t>(t.pairs);
        auto ranks = team_of(world, {where.pairs.begin(), end});
        teams_[t.pairs] = ranks ? std::make_unique<team>(std::move(*ranks)) : nullptr;
    }
}

records bench::measure(sonde::mpi::group const& world, task const& what) {
    meet(world);
    auto const& with = teams_.at(what.pairs);
    return with ? measure_on(*with, what) : records{};
}

records bench::measure_on(team& with, task const& what) const {
    point const p{with, asked_, what, out_.first(what.bytes), in_.first(what.bytes)};
    switch (asked_.model) {
    case kind::hockney:
        return one_pair(p);
    case kind::multi:
        return two_pairs(p);
    case kind::max_rate:
        return at_once(p, {"max_rate", {{"bytes", what.bytes}, {"pairs", what.pairs}}});
    case kind::log_gp:
        break;
    }
    return parametrised(p);
}

} // namespace tools::model
