// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/compare_rounds.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/record.hpp>
#include <sonde/run.hpp>
#include <sonde/stats/autocorrelation.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde {

/// Result of `compare`: a record of each alternative, equal on every rank. The first alternative is the base. Samples
/// with the same index are of the same round.
struct comparison {
    std::vector<record> records;
};

/// Criterion for a significant difference: the minimum gain or loss (0.02: 2 %), and the confidence for all
/// alternatives together.
struct criterion {
    double gain = 0;
    double confidence = 0.95;
};

/// Outcome of a comparison with the base.
enum class outcome : unsigned char { undecided, faster, slower };

[[nodiscard]] inline char const* name(outcome of) {
    constexpr char const* names[] = {"undecided", "faster", "slower"};
    return names[static_cast<unsigned char>(of)];
}

/// Confidence interval of a speed-up.
struct speedup_range {
    double low;
    double high;
};

namespace detail {

inline std::vector<seconds> speedups(comparison const& of, std::size_t alternative) {
    auto const &base = of.records.at(0).series, &other = of.records.at(alternative).series;
    if (base.empty()) throw std::invalid_argument{"sonde::comparison: there are no rounds"};
    return detail::ratios(base, other);
}

} // namespace detail

/// Speed-up of an alternative over the base: the median over rounds of t_base / t; of an even number of rounds, the
/// geometric mean of the two in the middle, so that its logarithm is the median of ln(t_base / t). Throws
/// std::out_of_range if there is no such alternative, and std::invalid_argument if there are no rounds.
[[nodiscard]] inline double speedup(comparison const& of, std::size_t alternative) {
    auto const all = detail::speedups(of, alternative);
    detail::order_statistics ordered{detail::as_span(all)};
    auto const below = ordered[(all.size() - 1) / 2].count(), above = ordered[all.size() / 2].count();
    return below == above ? below : detail::square_root(below * above);
}

/// Confidence interval of the speed-up; empty for too few rounds. Throws what `speedup` throws.
///
/// It is the interval of the median, by ranks, so that a disturbed round is one round, however long it took. With m
/// alternatives beside the base, each interval misses in (1 - confidence) / m of cases at most, so that all of them
/// hold together (Bonferroni). It is corrected by the upper bound of the autocorrelation time
/// (`autocorrelation_time_bound`), not by its estimate: a rule that is evaluated until an interval is narrow stops when
/// the estimate is too small. In simulations, intervals of equal alternatives missed 1 in at most 4.4 % of cases, for
/// all limits of precision, and for autocorrelated times (AR(1), up to phi = 0.5).
[[nodiscard]] inline std::optional<speedup_range> speedup_interval(comparison const& of, std::size_t alternative,
                                                                   double confidence = 0.95) {
    auto const others = of.records.size() < 2 ? std::size_t{1} : of.records.size() - 1;
    auto const all = detail::speedups(of, alternative);
    auto const tau = autocorrelation_time_bound(detail::as_span(all));
    auto const misses = (1 - confidence) / static_cast<double>(others);
    auto const interval = median_interval(detail::as_span(all), 1 - misses, tau);
    if (!interval) return std::nullopt;
    return speedup_range{interval->low.count(), interval->high.count()};
}

/// Classify an alternative as faster or slower than the base; undecided without an interval of its speed-up, or if the
/// interval is not entirely beyond the gain of the criterion.
[[nodiscard]] inline outcome classify(comparison const& of, std::size_t alternative, criterion required = {}) {
    auto const interval = speedup_interval(of, alternative, required.confidence);
    if (!interval) return outcome::undecided;
    if (interval->low > 1 + required.gain) return outcome::faster;
    return interval->high * (1 + required.gain) < 1 ? outcome::slower : outcome::undecided;
}

/// The alternative to use: of those that are faster than the base the one with the largest speed-up, otherwise the
/// base.
[[nodiscard]] inline std::size_t fastest(comparison const& of, criterion required = {}) {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 1; i < of.records.size(); ++i) {
        if (classify(of, i, required) != outcome::faster) continue;
        auto const gain = speedup(of, i);
        if (!(gain > most)) continue;
        best = i;
        most = gain;
    }
    return best;
}

/// Alternatives whose number is known at run time.
///
///     visit(i, f)    calls f(pattern) once, with alternative i, 0 to count - 1; always with a pattern of the same type
///                    and state
///
/// Of a vector of variants of patterns: `alternatives{all.size(), [&](std::size_t i, auto f) { std::visit(f, all[i]);
/// }}`.
template <class Visit>
struct alternatives {
    std::size_t count;
    Visit visit;
};
template <class Visit>
alternatives(std::size_t, Visit) -> alternatives<Visit>;

namespace detail {

/// Warm up each alternative. A batch by the timer is that of the alternative that needs the largest. Collective over
/// the group.
template <Group G, class Plan, class Set>
std::vector<measured_alternative> warm_up_each(G& group, Plan& plan, Set& set) {
    detail::synchronize_clocks(group, plan);
    std::vector<measured_alternative> all(set.count);
    auto const clock = sonde::clock_properties_of(plan.clock);
    std::size_t batch = plan.batch_by_timer ? 1 : plan.batch_iterations;
    for (std::size_t i = 0; i != set.count; ++i)
        set.visit(i, [&](auto& pattern) {
            all[i].mine.role = sonde::plays(pattern);
            all[i].moved = sonde::moves(pattern);
            all[i].first = detail::warm_up(group, plan, pattern);
            auto const needed = plan.batch_by_timer ? detail::batch_for_timer(group, plan, pattern, clock) : batch;
            if (needed > batch) batch = needed;
            sonde::after_warmup(pattern);
        });
    plan.batch_iterations = batch;
    for (auto& one : all) {
        one.found.clock_properties = clock;
        one.found.batch = batch;
        if (detail::global_clock_of(plan.synchronize) != nullptr) one.found.global.emplace();
    }
    return all;
}

} // namespace detail

/// Measure alternatives against each other; the first is the base. Collective over the group; the comparison is equal
/// on all ranks, and so is every outcome.
///
/// Each alternative is warmed up as by `run`. Then rounds follow, a sample of each alternative with equal batches, in
/// an order that is balanced in every n rounds of n alternatives, so that drift favors none of them. The plan applies
/// as to `run`, except that ranks are synchronized before every sample as before the first of a series, and that the
/// stopping rule counts rounds and sees the ratios of the base's times to an alternative's, so that a relative error is
/// that of the speed-up; it is evaluated for each alternative, and must stop for all. Outcomes are determined once,
/// after the last round.
///
/// Throws what `run` throws, and std::invalid_argument, on all ranks, if there is no alternative, or if their number
/// differs between ranks.
template <Group G, class Plan, class Visit>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] comparison compare(G& group, Plan plan, alternatives<Visit> set) {
    bool valid = true;
    for (std::size_t i = 0; i != set.count; ++i)
        set.visit(i, [&](auto& pattern) { valid = valid && detail::is_valid(sonde::moves(pattern)); });
    auto const known_schedule = detail::require_equal(group, plan, valid, "compare", set.count);
    if (set.count == 0) throw std::invalid_argument{"sonde::compare: needs at least one alternative"};
    auto all = detail::warm_up_each(group, plan, set);
    detail::sample_rounds(group, plan, set, all, known_schedule);
    auto const deviation = detail::clock_deviation_of(group, plan);
    comparison found;
    for (auto& one : all) {
        detail::finish(group, plan, one.moved, one.mine, one.first, deviation, one.found);
        found.records.push_back(std::move(one.found));
    }
    return found;
}

/// Measure a base and other patterns against each other: `compare(group, plan, old_way, new_way)`.
template <Group G, class Plan, Pattern Base, Pattern... Others>
[[nodiscard]] comparison compare(G& group, Plan plan, Base&& base, Others&&... others) {
    auto const visit = [&](std::size_t i, auto f) {
        std::size_t at = 0;
        auto const call = [&](auto& pattern) {
            if (at++ == i) f(pattern);
        };
        call(base);
        (call(others), ...);
    };
    return sonde::compare(group, std::move(plan), alternatives{1 + sizeof...(others), visit});
}

/// Measure alternatives, and return the index of the one to use, equal on all ranks: `fastest(group, plan, all...)`.
template <Group G, class Plan, class... All>
[[nodiscard]] std::size_t fastest(G& group, Plan plan, All&&... all) {
    return sonde::fastest(sonde::compare(group, std::move(plan), std::forward<All>(all)...));
}

} // namespace sonde
