// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/offset.hpp>
#include <sonde/error.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/group/pair.hpp>
#include <sonde/link.hpp>
#include <sonde/map/residuals.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sync.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Rounds in which each pair of ranks meets once, and each rank has at most one partner in a round: a 1-factorization
/// of the complete graph by the circle method (Kirkman 1847). An odd number of ranks needs an additional round, and one
/// rank is idle in each round.
class pairing_rounds {
public:
    explicit constexpr pairing_rounds(int ranks) : ranks_{ranks} {}

    /// ranks - 1 for an even number of ranks, ranks for an odd number, 0 for fewer than two ranks.
    constexpr int size() const { return ranks_ < 2 ? 0 : circle(); }

    /// The partner of a rank in a round; empty if the rank is idle. The partner's partner is the rank itself.
    constexpr std::optional<int> partner(int round, int rank) const {
        auto const n = circle();
        auto const of_last = round % 2 == 0 ? round / 2 : (round + n) / 2; // it would meet itself: 2 i = round (mod n)
        auto const met = rank == n ? of_last : rank == of_last ? n : (round - rank + n) % n;
        return met < ranks_ ? std::optional{met} : std::nullopt;
    }

private:
    /// Number of ranks on the circle, odd; rank `circle()` is in its center, or absent.
    constexpr int circle() const { return ranks_ - 1 + ranks_ % 2; }

    int ranks_;
};

/// Which pairs are measured at the same time: one pair, or all pairs of a round, which may share links.
enum class pairs_at_once : unsigned char { one, round };

/// The times of all pairs of ranks: medians, with their resolution, and their 95 % confidence intervals. If a pair has
/// too few samples for an interval, both ends of its interval are 0.
struct pair_map {
    pair_times median, low, high; // of the times, and ends of the intervals

    explicit pair_map(int ranks = 0) : median{ranks}, low{ranks}, high{ranks} {}
};

/// How pairs are measured by `map` and `shift_map`; equal on all ranks.
struct map_options {
    pairs_at_once at_once = pairs_at_once::one; // of `map`
    int rounds = 0;                             // number of rounds, evenly spread over all; 0 or too many: all
    /// Called on rank 0 after each round with the map so far, the number of rounds done, and the number of rounds to be
    /// measured. If it throws, all ranks throw.
    std::function<void(pair_map const&, int, int)> after_round{};
};

namespace detail {

/// The rounds that are measured: `count` of `all` rounds.
struct measured_rounds {
    int all, count;
    measured_rounds(int of, int wanted) : all{of}, count{wanted <= 0 || wanted > of ? of : wanted} {}
    int at(int i) const { return static_cast<int>(static_cast<long long>(i) * all / count); }
};

/// Median and interval of the times of a pair, and their resolution, which is the clock's resolution over the batch.
using pair_summary = std::array<double, 4>;

inline pair_summary summary_of(std::vector<seconds> times, record const& from) {
    record r;
    r.series = std::move(times);
    r.batch = from.batch;
    r.clock_properties = from.clock_properties;
    auto const interval = median_interval(r);
    return {median(r).count(), interval ? interval->low.count() : 0, interval ? interval->high.count() : 0,
            sample_resolution(r).count()};
}

/// A map under construction. Batches by the timer differ between pairs, and so do the resolutions. The resolution of
/// the map is the coarsest resolution relative to its pair's time, multiplied by the shortest time of all pairs.
class growing_map {
public:
    pair_map all;

    explicit growing_map(int ranks) : all{ranks} {}

    void set(int from, int to, std::span<double const> summary) {
        all.median.at(from, to) = seconds{summary[0]};
        all.low.at(from, to) = seconds{summary[1]};
        all.high.at(from, to) = seconds{summary[2]};
        if (!(summary[0] > 0)) return;
        coarsest_ = std::max(coarsest_, summary[3] / summary[0]);
        shortest_ = shortest_ > 0 ? std::min(shortest_, summary[0]) : summary[0];
        all.median.resolution = seconds{coarsest_ * shortest_};
    }

private:
    double coarsest_ = 0, shortest_ = 0;
};

/// The map of rank 0, on all ranks. Collective over the group.
pair_map broadcast(Group auto& group, std::optional<pair_map> of_root) {
    auto all = of_root ? *std::move(of_root) : pair_map{group.size()};
    sonde::broadcast(group, all.median.resolution);
    for (auto* part : {&all.median, &all.low, &all.high})
        sonde::broadcast(group, std::span{part->times.data(), part->times.size()});
    return all;
}

/// Returns an empty map, on rank 0 of all ranks. Requires a valid plan, and a plan and options that are equal on all
/// ranks. Throws std::invalid_argument, on all ranks. `function`: name of the function called with them. Collective
/// over the group; two reductions.
template <class Plan>
growing_map begin_map(Group auto& group, Plan plan, map_options const& options, char const* function) {
    growing_map made{0};
    std::exception_ptr failure;
    detail::attempt(failure, [&] { made = growing_map{group.rank() == 0 ? group.size() : 0}; });
    detail::require_equal(group_ref{group}, plan, {function}, failure);
    detail::require_equal_parts(group,
                                std::array{static_cast<double>(options.at_once), static_cast<double>(options.rounds)},
                                std::array{"pairs at once", "rounds"},
                                std::string{"sonde::"} + function + ": the options must be equal on all ranks");
    return made;
}

/// Rank 0 adds the times of a round to the map, by `add()`, and calls `after_round`. Throws on all ranks if it throws.
/// Collective over the group; one reduction.
void end_round(Group auto& group, map_options const& options, pair_map const& all, int done, int count, auto add) {
    sonde::collectively(group, [&] {
        if (group.rank() == 0) {
            add();
            detail::work(group, 0);
            if (options.after_round) options.after_round(all, done, count);
        }
        detail::expect(group, 0);
    });
}

/// The plan's synchronizer on a pair of ranks. The clocks of all ranks are compared before each round, not by a pair.
template <class S>
struct pair_synchronizer : sync_hook::forwarded<pair_synchronizer<S>, S> {
    explicit pair_synchronizer(S& of_all) : all{of_all} {}

    template <Group G>
        requires Synchronizer<S, G>
    void operator()(G& pair, std::size_t i) {
        all(pair, i);
    }
    pair_synchronizer* global_clock() { return detail::global_clock_of(all) == nullptr ? nullptr : this; }
    S& inner() const { return all; }

    void synchronize(auto&) const {}
    bool on_time() const { return detail::global_clock_of(all)->on_time(); }
    seconds to_global(seconds t) const { return detail::global_clock_of(all)->to_global(t); }
    clock_deviation measure_deviation(auto&) const { return {}; }

    S& all;
};

/// A pair of ranks of a group with a control channel.
template <class G>
using pair_group_of = pair_group<decltype(sonde::control_channel_of(std::declval<G&>()))>;

/// This rank's measurements of one round, for `map`.
template <ControlChannel C, class Plan, class Make>
class pair_round {
public:
    pair_round(C const& channel, Plan const& plan, Make& make_pattern, int rank)
        : channel_{channel}, plan_{plan}, make_{make_pattern}, rank_{rank} {}

    /// Both directions. Called by both ranks of the pair. An exception is kept, because the other pairs go on.
    pair_summary measure(int peer) {
        pair_summary mine{};
        pair_group<C> pair{channel_, rank_, peer};
        for (auto const initiator : {0, 1}) {
            auto const sends = pair.rank() == initiator;
            detail::attempt(failure_, [&] {
                try {
                    auto const found = measure(pair, peer, sends ? role::initiator : role::responder);
                    if (sends) mine = summary_of(found.series, found);
                } catch (other_rank_error const&) { // the other rank of the pair tells all ranks
                }
            });
        }
        return mine;
    }
    /// The first exception of this rank's pairs.
    std::exception_ptr const& failure() const { return failure_; }
    /// One pair after another, in the order of their lower ranks. Collective over the group.
    template <Group G>
    pair_summary measure_apart(G& group, pairing_rounds const& rounds, int round) {
        pair_summary mine{};
        for (int lower = 0; lower < group.size(); ++lower) {
            auto const upper = rounds.partner(round, lower);
            if (!upper || *upper < lower) continue;
            auto const is_mine = lower == rank_ || *upper == rank_;
            if (is_mine) {
                auto const peer = lower == rank_ ? *upper : lower;
                detail::work_with(group, peer);
                mine = measure(peer);
            }
            detail::expect(group, is_mine ? 0 : 1);
            group.barrier();
        }
        return mine;
    }

private:
    record measure(pair_group<C>& pair, int peer, role mine) {
        return detail::with_made(
            pair, [&] { return make_(peer, mine); },
            [&](auto& pattern) { return sonde::run(pair, plan_, pattern, {}); });
    }

    C const& channel_;
    Plan const& plan_;
    Make& make_;
    int rank_;
    std::exception_ptr failure_;
};

/// `map` on rank 0, and nothing on the others. `function`: name of the function that the caller called.
template <class Plan>
std::optional<pair_map> map_of_root(Group auto& group, Plan plan, auto& make_pattern, map_options const& options,
                                    char const* function) {
    detail::watched_call const watched{group, function};
    auto found = detail::begin_map(group, plan, options, function);
    auto const channel = sonde::collectively(group, [&] { return sonde::control_channel_of(group); });
    auto const rank = group.rank(), ranks = group.size();
    pairing_rounds const rounds{ranks};
    detail::measured_rounds const measured{rounds.size(), options.rounds};
    auto const pair_plan = plan.synchronized(detail::pair_synchronizer<decltype(Plan::synchronize)>{plan.synchronize});
    detail::pair_round round_of{channel, pair_plan, make_pattern, rank};
    for (int i = 0; i < measured.count; ++i) {
        auto const round = measured.at(i);
        auto const peer = rounds.partner(round, rank);
        detail::pair_summary mine{};
        detail::synchronize_clocks(group, plan);
        detail::wait_in(group, call_phase::begin);
        if (options.at_once == pairs_at_once::one) {
            mine = round_of.measure_apart(group, rounds, round);
        } else {
            if (peer) detail::work_with(group, *peer);
            else detail::work(group, 1);
            if (peer) mine = round_of.measure(*peer);
            detail::expect(group, 1); // of another pair
        }
        detail::throw_on_all(group, round_of.failure());
        auto const of_ranks = sonde::gather(group, mine);
        detail::end_round(group, options, found.all, i + 1, measured.count, [&] {
            for (int from = 0; from < ranks; ++from)
                if (auto const to = rounds.partner(round, from))
                    found.set(from, *to,
                              std::span{*of_ranks}.subspan(mine.size() * static_cast<std::size_t>(from), mine.size()));
        });
    }
    return detail::on_rank_0(group, std::move(found.all));
}

} // namespace detail

/// Measure a pattern between all pairs of ranks, in both directions. Both ranks of a pair call
/// `make_pattern(peer, role)`, which returns the caller's pattern; the initiator sends. The map has the time of one
/// iteration for each pair `from`, `to`. The two ranks agree by messages of the group's control channel. The plan's
/// synchronizer is called with the `pair_group` of the two ranks; its global clock, if it has one, is synchronized
/// before each round.
///
/// Pairs are measured in the rounds of `pairing_rounds`. Collective over the group; the result is equal on all ranks,
/// so that all can act on it. Throws std::invalid_argument, on all ranks, for a plan or options that differ between
/// ranks. If `make_pattern` throws on a rank, or a pair is refused, all ranks throw after the round.
template <Group G, class Plan, class Make>
    requires detail::has_control_channel<G> && Synchronizer<decltype(Plan::synchronize), detail::pair_group_of<G>>
[[nodiscard]] pair_map map(G& group, Plan plan, Make make_pattern, map_options options = {}) {
    return detail::broadcast(group, detail::map_of_root(group, std::move(plan), make_pattern, options, "map"));
}
/// The same, with the result on rank 0 only: the other ranks need memory for one pair.
template <Group G, class Plan, class Make>
    requires detail::has_control_channel<G> && Synchronizer<decltype(Plan::synchronize), detail::pair_group_of<G>>
[[nodiscard]] std::optional<pair_map> map_on_root(G& group, Plan plan, Make make_pattern, map_options options = {}) {
    return detail::map_of_root(group, std::move(plan), make_pattern, options, "map_on_root");
}

/// Sends a stream to one rank while another rank sends a stream to the caller (mpiGraph's pattern). An iteration starts
/// `depth` receives and `depth` sends and waits for the sends only, so that a slow sender does not lengthen the samples
/// of its receiver. `finish` waits for the receives; it is called before the next iteration, outside the clock.
///
/// Sends of messages that the library buffers (eager messages) complete before the messages arrive, so use messages
/// above the eager limit. `in` has at least `depth` regions. Throws std::invalid_argument for fewer regions, and for a
/// depth of 0.
template <class L, Buffer Out, Buffer In>
    requires AsyncLink<L, region_of<Out>, region_of<In>>
class shifted_stream {
public:
    template <Buffer From, Buffer To>
    shifted_stream(L to, L from, std::size_t depth, From out, To in)
        : to_{std::move(to)}, from_{std::move(from)}, depth_{depth}, out_{sonde::send_buffer(to_, std::move(out))},
          in_{sonde::recv_buffer(from_,
                                 detail::require_regions(from_, depth, std::move(in), receive_regions::distinct))} {
        if (depth == 0) throw std::invalid_argument{"sonde::shifted_stream: needs at least one message in flight"};
        sonde::reserve(to_, depth);
        sonde::reserve(from_, depth);
    }

    void operator()() {
        finish();
        for (std::size_t i = 0; i != depth_; ++i) from_.irecv(in_.next());
        for (std::size_t i = 0; i != depth_; ++i) to_.isend(out_.next());
        to_.wait_all();
    }
    void finish() { from_.wait_all(); }
    sonde::traffic traffic() const { return {depth_ * out_.size(), depth_, 1}; }

private:
    L to_, from_;
    std::size_t depth_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To>
shifted_stream(L, L, std::size_t, From, To) -> shifted_stream<L, send_buffer_t<L, From>, recv_buffer_t<L, To>>;

namespace detail {

/// `shift_map` on rank 0, and nothing on the others. `function`: name of the function that the caller called.
template <class Plan>
std::optional<pair_map> shift_map_of_root(Group auto& group, Plan const& plan, auto& make_pattern,
                                          map_options const& options, char const* function) {
    detail::watched_call const watched{group, function};
    auto map = detail::begin_map(group, plan, options, function);
    auto const rank = group.rank(), ranks = group.size();
    detail::measured_rounds const measured{ranks - 1, options.rounds};
    for (int i = 0; i < measured.count; ++i) {
        auto const shift = measured.at(i) + 1;
        record found;
        auto const measure = [&](auto& pattern) {
            auto const start = [&pattern](auto& whole, std::size_t) {
                pattern.finish();
                whole.barrier();
            };
            found = sonde::run(group, plan.synchronized(start).keep({.rank_samples = true}), pattern, {});
            pattern.finish();
        };
        detail::with_made(
            group, [&] { return make_pattern((rank + shift) % ranks, (rank - shift + ranks) % ranks); }, measure);
        detail::end_round(group, options, map.all, i + 1, measured.count, [&] {
            for (int from = 0; from < ranks; ++from) {
                auto const times = samples_of(found, from);
                map.set(from, (from + shift) % ranks, detail::summary_of({times.begin(), times.end()}, found));
            }
        });
    }
    return detail::on_rank_0(group, std::move(map.all));
}

} // namespace detail

/// Measure a pattern in which all ranks send at once, each to the rank `shift` above it, for all shifts from 1 to
/// P - 1. `make_pattern(to, from)` returns the caller's pattern, such as a `shifted_stream`. The pair `from`, `to` has
/// the time that rank `from` measured. A synchronizer of `plan` is not used, because samples begin with `finish` and a
/// barrier. Collective over the group; the result is equal on all ranks. Throws as `map` does.
template <Group G, class Plan, class Make>
[[nodiscard]] pair_map shift_map(G& group, Plan const& plan, Make make_pattern, map_options options = {}) {
    return detail::broadcast(group, detail::shift_map_of_root(group, plan, make_pattern, options, "shift_map"));
}
/// The same, with the result on rank 0 only.
template <Group G, class Plan, class Make>
[[nodiscard]] std::optional<pair_map> shift_map_on_root(G& group, Plan const& plan, Make make_pattern,
                                                        map_options options = {}) {
    return detail::shift_map_of_root(group, plan, make_pattern, options, "shift_map_on_root");
}

} // namespace sonde
