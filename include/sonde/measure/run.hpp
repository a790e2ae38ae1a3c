// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/measure/series.hpp>
#include <sonde/measure/warm_up.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/sync.hpp>
#include <sonde/witness/carried_traffic.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1 {

namespace detail {

/// Compare the clocks of the ranks if the plan has a global clock. Collective over the group. Throws
/// std::invalid_argument, on all ranks, if the plan's clock has no epoch, so that its readings have no global time.
void synchronize_clocks(Group auto& group, auto& plan) {
    auto* const clock = detail::global_clock_of(plan.synchronize);
    if (clock == nullptr) return;
    detail::wait_in(group, call_phase::clocks);
    if constexpr (!has_epoch<decltype(plan.clock.now())>)
        throw std::invalid_argument{"sonde::run: a synchronized start needs a clock with an epoch"};
    else clock->synchronize(group);
}

/// Deviation of the global clock; 0 without a global clock. Collective over the group.
clock_deviation clock_deviation_of(Group auto& group, auto& plan) {
    detail::wait_in(group, call_phase::clocks);
    auto* const clock = detail::global_clock_of(plan.synchronize);
    return clock == nullptr ? clock_deviation{} : clock->measure_deviation(group);
}

/// All flags of a complete record. The flags that need the ranks' contributions are set already.
flags flags_of(record const& r);

/// What decides whether a rank is a straggler (`record`), with finite values.
struct straggler_bounds {
    double last = 0;        // number of samples in which it finished last
    double low = no_value;  // end of the interval of its median; `no_value` without an interval
    double high = no_value; // `no_value` if its times do not count, -no_value without an interval

    /// The bounds of a rank's times, in a group of `ranks`.
    static straggler_bounds of(rank_samples const& mine, int ranks, seconds resolution);
};

/// Complete the record but for the global clock and the flags: traffic, times over ranks, what the plan keeps.
/// Collective over the group.
void combine_kept(group_ref const& group, keep_options keep, traffic const& moved, std::exception_ptr const& failure,
                  measurement& one);

/// Complete the record: traffic (the result of `moved()`), times over ranks, global clock, flags. Throws on all ranks
/// if user code throws on a rank. Collective over the group.
void finish(group_ref const& group, auto& plan, auto moved, clock_deviation deviation, measurement& one) {
    detail::wait_in(group, call_phase::combination);
    auto& into = one.found;
    std::exception_ptr failure;
    traffic of_iteration;
    detail::attempt(failure, [&] {
        of_iteration = moved();
        detail::describe(plan.synchronize, into.point);
        into.flags.oversubscribed = group.oversubscribed();
        if (!into.global) return;
        into.global->deviation = deviation.max;
        into.global->error_bound = deviation.error_bound;
    });
    detail::combine_kept(group, plan.retention, of_iteration, failure, one);
    into.flags = flags_of(into);
}

/// Add what the devices carried to a complete record, and its flag. Collective over the group.
void add_carried(group_ref const& group, carried_reader const& by, std::optional<carried_traffic> carried,
                 std::size_t iterations, record& into);

/// What a run measures. The place names a pattern that has no other name; it is not compared between ranks, because
/// ranks with different roles may call `run` at different places.
struct measured_point {
    point at{};
    std::string place{};
    char const* function = "run";
    bool is_compared = true; // `at`
};

/// `run` without the type of the pattern: compiled once for all patterns that are measured by one type of plan.
template <class Plan>
record run_untyped(Group auto& group, Plan& plan, pattern_ref<decltype(Plan::clock)> pattern, measured_point what,
                   std::exception_ptr const& failure) {
    collective_call call{what.function};
    std::exception_ptr early;
    detail::attempt(early, [&] {
        if (what.at.name.empty() && what.at.parameters.empty()) what.at = pattern.point();
        call.add(what.at, pattern.traffic(), pattern.requirements());
        static_cast<void>(pattern.role()); // where it throws, it throws here
        if (call.name.empty()) what.at.name = what.place;
        if (!what.is_compared) call.name.clear();
    });
    detail::watched_call watched{group, what.function, what.at.name.c_str()};
    group_ref const ranks{group};
    auto const known_schedule = detail::require_equal(ranks, plan, call, early);
    detail::measured_exchange const under_way{watched.held()};
    measurement one;
    one.found.point = std::move(what.at);
    one.found.clock_properties = sonde::clock_properties_of(plan.clock);
    detail::synchronize_clocks(group, plan);
    detail::warm_up(group, plan, pattern, one);
    detail::agree_on_errors(ranks, plan, failure);
    auto* const devices = plan.retention.carried;
    if (devices != nullptr) devices->begin(ranks, call.in_pair.value_or(role::idle));
    std::size_t iterations = 0;
    auto const take = [&](std::size_t taken, std::size_t n) {
        if (taken == 0) pattern.after_warmup();
        iterations += n * plan.batch_iterations;
        one.block.reset(n, one.found.global.has_value());
        detail::expect(group, n * plan.batch_iterations);
        for (std::size_t i = 0; i != n; ++i) detail::take_sample(group, plan, pattern, taken + i, one.block);
        return n;
    };
    detail::sample(ranks, plan, plan.rule, known_schedule, {&one, 1}, failure, take);
    detail::expect(group, 0);
    std::optional<carried_traffic> carried;
    if (devices != nullptr) carried = devices->finish();
    detail::finish(
        ranks, plan, [&] { return pattern.traffic(); }, detail::clock_deviation_of(group, plan), one);
    if (devices != nullptr) detail::add_carried(ranks, *devices, std::move(carried), iterations, one.found);
    return std::move(one.found);
}

template <class Plan, Pattern P>
record run(Group auto& group, Plan plan, P&& pattern, measured_point what) {
    std::exception_ptr failure;
    return detail::with_guard(plan, pattern, failure, [&](auto const& guarded) {
        return detail::run_untyped(group, plan, guarded, std::move(what), failure);
    });
}

} // namespace detail

/// Measure a pattern by a plan. Collective over the group; the record is equal on all ranks, except for the slowest
/// counts and rank samples, which only rank 0 has. `at` is the point of the record: a name, or a name and parameters.
///
/// The phases are warm-up, then synchronization and a timed batch for each sample until the stopping rule ends the
/// series, then two reductions and a gather of the ranks' results.
///
/// Throws on all ranks: std::invalid_argument, before the first reading of the clock, for a plan that allows no
/// measurement or differs between ranks (the message names the parts), and if names, bytes that initiators share, or
/// the functions that ranks call differ (it names the ranks); std::runtime_error if 9 in 10 samples begin too late for
/// their synchronized start. If a hook throws on a rank before the first iteration, or the stopping rule on rank 0,
/// that rank throws its exception and the other ranks `other_rank_error`. If the pattern, the synchronizer or a reading
/// of the clock throws later, or a uniform rule, only that rank throws, and the others wait: end the job
/// (`mpi::abort_on_exception`), or, for a pattern, use a plan with `agree_on_errors`. The group's watchdog, if it has
/// one, tells the user that ranks wait, unless rank 0 is the rank that threw.
template <Group G, class Plan, Pattern P>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] record run(G& group, Plan plan, P&& pattern, point at) {
    return detail::run(group, std::move(plan), std::forward<P>(pattern), {std::move(at)});
}

/// As above, at the point of a `named` pattern. The record of another pattern has the place of this call as its name,
/// "file.cpp:123"; records of ranks that make different calls then differ in their names.
template <Group G, class Plan, Pattern P>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] record run(G& group, Plan plan, P&& pattern,
                         detail::call_site where = detail::call_site::of(__builtin_FILE(), __builtin_LINE())) {
    return detail::run(group, std::move(plan), std::forward<P>(pattern), {{}, where.name()});
}

namespace detail {

template <class Plan>
concept plan_like = requires(Plan& plan) { plan.batch_iterations; };

template <class G>
concept group_variable = std::is_lvalue_reference_v<G> && Group<std::remove_reference_t<G>>;

} // namespace detail

// Calls with a wrong argument: the compiler's message names the first wrong argument.

template <class G, class Plan, class P>
    requires(!Group<std::remove_reference_t<G>> && detail::plan_like<Plan>)
SONDE_REFUSE(
    "the first argument must be a sonde::Group: make a sonde::mpi::group of an MPI_Comm; for a type of your own "
    "static_assert(sonde::Group<my_group>) names the fault",
    run(G&&, Plan, P&&, point = {}));

template <class G, class Plan, class P>
    requires(Group<std::remove_reference_t<G>> && !detail::group_variable<G> &&
             (detail::plan_like<Plan> || Pattern<std::remove_reference_t<P>>))
SONDE_REFUSE("the group must be a variable, not a temporary", run(G&&, Plan, P&&, point = {}));

template <class G, class Plan, class P>
    requires(detail::group_variable<G> && detail::plan_like<Plan> && !Pattern<std::remove_reference_t<P>>)
SONDE_REFUSE(
    "a sonde::Pattern is called without arguments, and makes one iteration; a constant pattern needs a constant "
    "operator()",
    run(G&&, Plan, P&&, point = {}));

template <class G, class Plan, class P>
    requires(detail::group_variable<G> && !detail::plan_like<Plan> && Pattern<std::remove_reference_t<P>>)
SONDE_REFUSE("the second argument must be a sonde::plan", run(G&&, Plan, P&&, point = {}));

template <class G, class P>
    requires(detail::group_variable<G> && Pattern<std::remove_reference_t<P>>)
SONDE_REFUSE("run takes a plan after the group: run(group, sonde::plan<>{}, pattern)", run(G&&, P&&));

template <class Plan, class G, class P>
    requires(detail::plan_like<std::remove_reference_t<Plan>> && Group<std::remove_reference_t<G>>)
SONDE_REFUSE("run takes the group first, then the plan: run(group, plan, pattern)", run(Plan&&, G&&, P&&, point = {}));

template <class G, class Plan, class P>
    requires(detail::group_variable<G> && detail::plan_like<Plan> && Pattern<std::remove_reference_t<P>> &&
             !Synchronizer<decltype(Plan::synchronize), std::remove_reference_t<G>>)
SONDE_REFUSE("the plan's synchronizer must be a sonde::Synchronizer for this group", run(G&&, Plan, P&&, point = {}));

/// Validate the data that a pattern moves, untimed. Returns the number of wrong elements, summed over rounds and ranks.
/// Collective over the group.
///
/// Each round has four steps on every rank. `prepare(round)` writes the send buffer and clears the receive buffer; a
/// barrier follows, then one iteration of the pattern; `verify(round)` returns the number of wrong elements on this
/// rank. Throws std::invalid_argument, on all ranks, if the number of rounds, roots or roles in a pair do not fit. If
/// `prepare` or `verify` throws on a rank, all ranks throw after the last round; the others wait for a rank whose
/// pattern throws.
template <Group G, Pattern P, std::invocable<std::size_t> Prepare, std::invocable<std::size_t> Verify>
[[nodiscard]] std::size_t validate(G& group, P& pattern, Prepare prepare, Verify verify, std::size_t rounds = 1) {
    detail::watched_call const watched{group, "validate"};
    group_ref const ranks{group};
    detail::collective_call call{"validate"};
    std::exception_ptr failure;
    detail::attempt(failure, [&] { call.add({}, {}, sonde::requirements_of(pattern)); });
    detail::require_same_call(ranks, call, failure);
    detail::require_equal_parts(group, std::array{static_cast<double>(rounds)}, std::array{"rounds"},
                                "sonde::validate: the arguments must be equal on all ranks");
    std::array<double, 1> errors{};
    for (std::size_t round = 0; round != rounds; ++round) {
        detail::attempt(failure, [&] { prepare(round); });
        detail::expect(group, 1);
        detail::wait_in(group, call_phase::synchronization);
        group.barrier();
        detail::wait_in(group, call_phase::iterations);
        pattern();
        sonde::complete(pattern);
        detail::attempt(failure, [&] { errors[0] += static_cast<double>(verify(round)); });
    }
    detail::wait_in(group, call_phase::combination);
    detail::throw_on_all(ranks, failure);
    group.all_reduce(errors, reduction::sum);
    return static_cast<std::size_t>(errors[0]);
}

} // namespace sonde

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE flags flags_of(record const& r) {
    if (r.initiators == 0) return r.flags;
    auto const series = as_span(r.series);
    auto const typical = static_cast<double>(r.batch) * median(series);
    auto found = r.flags;
    // No processor makes an iteration in less than 0.1 ns: the compiler has removed it.
    auto const is_empty = seconds{} < typical && typical < static_cast<double>(r.batch) * seconds{1e-10};
    found.timer_limited = is_empty || typical < min_sample_time(r.clock_properties);
    auto const enough = series.size() > 40 ? static_cast<double>(series.size()) / 40 : 1;
    found.correlated = is_correlated(series.size(), sum_autocorrelation(series, median(series), enough).time);
    if (!r.global || r.global->series.empty()) return found;
    found.skew_dominated =
        10 * median(as_span(r.global->entry_skews)) > static_cast<double>(r.batch) * median(as_span(r.global->series));
    auto const excess = r.global->deviation - r.global->error_bound;
    found.clock_drift = excess > seconds{1e-6} || excess > 0.05 * typical;
    return found;
}

/// Nearest integer of a sum of fractions of integers, exact below 2^53.
SONDE_INLINE std::size_t rounded(double sum) {
    return static_cast<std::size_t>(sum + 0.5); // NOLINT(bugprone-incorrect-roundings): std::lround needs <cmath>
}

SONDE_INLINE straggler_bounds straggler_bounds::of(rank_samples const& mine, int ranks, seconds resolution) {
    if (!mine.counts()) return {};
    straggler_bounds found{static_cast<double>(mine.slowest), no_value, -no_value};
    if (mine.times.empty() || ranks == 1) return found;
    auto const median = estimate_median(as_span(mine.times), 1 - 0.01 / ranks, resolution).interval;
    if (median) found = {found.last, median->low.count(), median->high.count()};
    return found;
}

/// A straggler and its lag, as rank 0 broadcasts them.
struct straggler {
    std::size_t rank;
    finish_lag lag;
};

/// The stragglers among the ranks, in ascending order.
SONDE_INLINE std::vector<straggler> find_stragglers(std::vector<straggler_bounds> const& of_ranks, std::size_t samples,
                                                    seconds resolution) {
    constexpr double effect = 1.05;
    std::vector<seconds> highs;
    for (auto const& rank : of_ranks)
        if (rank.high != no_value) highs.emplace_back(rank.high);
    auto const n = highs.size();
    if (n < 2) return {};
    order_statistics ordered{as_span(highs)};
    auto const lower = ordered[(n - 1) / 2].count(), upper = ordered[n / 2].count();
    auto const share = static_cast<double>(samples) / static_cast<double>(n);
    std::vector<straggler> found;
    for (std::size_t i = 0; i != of_ranks.size(); ++i) {
        auto const low = of_ranks[i].low;
        if (!(low > lower)) continue;
        auto const center = lower / 2 + (low < upper ? low : upper) / 2; // the median of the ranks' medians, at most
        auto const lag = low - center;
        if (center > 0 && low > effect * center && lag > resolution.count() && !(of_ranks[i].last < share))
            found.push_back({i, {seconds{lag}, lag / center}});
    }
    return found;
}

/// Combine the contributions of all ranks into the record, and set its flag `clock_fault`. Takes a gather of three
/// values of each rank, two reductions, and a broadcast if there are stragglers. `first` is this rank's first
/// iteration. Throws on all ranks, as `throw_on_all` does, if there is a `failure` on a rank. Collective over the
/// group.
SONDE_INLINE void combine(group_ref const& group, traffic const& moved, rank_samples const& mine,
                          std::optional<seconds> first, std::exception_ptr const& failure, record& into) {
    auto const counts = mine.counts();
    auto const share_of = [&](std::size_t n) {
        return counts ? static_cast<double>(n) / static_cast<double>(moved.shared_by) : 0;
    };
    auto const& clock = into.clock_properties;
    auto const resolution = sample_resolution(into);
    auto const of_ranks = sonde::gather(group, straggler_bounds::of(mine, group.size(), resolution));
    std::vector<straggler> stragglers;
    if (of_ranks && !into.flags.oversubscribed) stragglers = find_stragglers(*of_ranks, mine.counted, resolution);
    std::array<double, 4> sums{counts ? 1.0 : 0.0, share_of(moved.bytes), share_of(moved.messages),
                               counts ? mine.mean().count() : 0.0};
    auto const if_counts = [&](double v) { return counts ? v : no_value; };
    std::array<double, 11> maxima{if_counts(mine.mean().count()),
                                  if_counts(-mine.mean().count()),
                                  first ? if_counts(first->count()) : no_value,
                                  if_counts(moved.hops),
                                  if_counts(moved.bus_factor),
                                  clock.cost.count(),
                                  clock.resolution.count(),
                                  clock.bias.count(),
                                  mine.clock_fault ? 1.0 : 0.0,
                                  static_cast<double>(stragglers.size()),
                                  detail::failure_of(group, failure)};
    group.all_reduce(sums, reduction::sum);
    group.all_reduce(maxima, reduction::max);
    detail::throw_failure(maxima[10], failure, other_rank{});

    into.ranks = group.size();
    if (of_ranks)
        for (auto& all = into.slowest_counts.emplace(); auto const& rank : *of_ranks) all.push_back(rounded(rank.last));
    stragglers.resize(rounded(maxima[9]));
    if (!stragglers.empty()) sonde::broadcast(group, std::span{stragglers.data(), stragglers.size()});
    for (auto const& one : stragglers) {
        into.stragglers.push_back(static_cast<int>(one.rank));
        into.straggler_lags.push_back(one.lag);
    }
    into.clock_properties = {seconds{maxima[5]}, seconds{maxima[6]}, seconds{maxima[7]}};
    into.flags.clock_fault = maxima[8] != 0;
    if (sums[0] == 0) return;
    into.initiators = static_cast<int>(sums[0]);
    into.total = {rounded(sums[1]), rounded(sums[2]), maxima[3], maxima[4]};
    into.over_ranks = {seconds{-maxima[1]}, seconds{sums[3] / sums[0]}, seconds{maxima[0]}};
    if (maxima[2] != no_value) into.first = seconds{maxima[2]};
}

SONDE_INLINE void add_carried(group_ref const& group, carried_reader const& by, std::optional<carried_traffic> carried,
                              std::size_t iterations, record& into) {
    char is_suspect = 0;
    if (carried) is_suspect = by.compare(*carried, iterations, into.total.bytes, into.total.messages) ? 1 : 0;
    into.carried = std::move(carried);
    sonde::broadcast(group, is_suspect);
    into.flags.suspect_transport = is_suspect != 0;
}

SONDE_INLINE void combine_kept(group_ref const& group, keep_options keep, traffic const& moved,
                               std::exception_ptr const& failure, measurement& one) {
    auto& into = one.found;
    detail::combine(group, moved, one.mine, one.first, failure, into);
    if (keep.rank_means) into.rank_means = sonde::all_gather(group, one.mine.mean());
    if (!keep.rank_samples) return;
    auto const most = keep.max_rank_samples / static_cast<std::size_t>(group.size());
    auto const all = as_span(one.mine.times), kept = all.first(all.size() < most ? all.size() : most);
    into.rank_samples = keep.on_all_ranks ? sonde::all_gather(group, kept) : sonde::gather(group, kept);
}

} // namespace sonde::detail

#endif

#include <sonde/detail/refuse.inc>
