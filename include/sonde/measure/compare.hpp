// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

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

namespace sonde {

/// Result of `compare`: a record of each alternative, equal on every rank as the record of `run` is. The first
/// alternative is the base. Samples with the same index belong to the same round.
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

[[nodiscard]] inline char const* to_string(outcome of) {
    constexpr char const* names[] = {"undecided", "faster", "slower"};
    return names[static_cast<unsigned char>(of)];
}

/// Confidence interval of a speed-up.
struct speedup_range {
    double low;
    double high;
};

namespace detail {

/// The speed-ups base / other, as seconds, because the statistics take seconds. Times below the larger of `resolution`
/// and 1 ps count as that time, because a coarse clock may read 0.
inline std::vector<seconds> ratios(std::vector<seconds> const& base, std::vector<seconds> const& other,
                                   seconds resolution) {
    constexpr seconds shortest{1e-12};
    auto const least = resolution < shortest ? shortest : resolution;
    auto const at_least = [&](seconds t) { return t < least ? least : t; };
    std::vector<seconds> all;
    for (std::size_t i = 0; i != base.size(); ++i) all.emplace_back(at_least(base[i]) / at_least(other.at(i)));
    return all;
}

inline std::vector<seconds> speedups(comparison const& of, std::size_t alternative) {
    auto const &base = of.records.at(0), &other = of.records.at(alternative);
    if (base.series.empty()) throw std::invalid_argument{"sonde::comparison: there are no rounds"};
    auto const a = detail::sample_resolution(base), b = detail::sample_resolution(other);
    return detail::ratios(base.series, other.series, a < b ? b : a);
}

/// Half of the resolution divided by a time. At most 1 / 2, because a time below the resolution counts as the
/// resolution.
inline double half_tick(seconds resolution, seconds time) {
    return resolution > seconds{} ? resolution / (time < resolution ? resolution : time) / 2 : 0;
}

/// The range of the speed-up if both times differ from their medians by up to half a tick of the clock, with a margin
/// for rounding.
inline speedup_range speedup_in_ticks(comparison const& of, std::size_t alternative, double speedup) {
    auto const half = [](record const& r) {
        return 1.000001 * half_tick(sample_resolution(r), median(detail::as_span(r.series)));
    };
    auto const base = half(of.records.at(0)), other = half(of.records.at(alternative));
    return {speedup * (1 - base) / (1 + other), speedup * (1 + base) / (1 - other)};
}

/// True if the median of n ratios has an interval. With m alternatives beside the base, each interval misses the true
/// value in at most (1 - confidence) / m of all cases.
inline bool has_interval(std::size_t n, std::size_t others, double confidence, double tau) {
    auto const tail = (1 - confidence) / static_cast<double>(others) / 2;
    auto const ranks = widened(binomial_ranks(n, 0.5, tail), n, tau);
    return ranks.low != 0 && ranks.high <= n;
}

/// The smallest number of ratios, at least n, whose median has an interval if the autocorrelation does not change.
inline std::size_t ratios_needed(std::size_t n, std::size_t others, double confidence, autocorrelation found) {
    while (!has_interval(n, others, confidence, found.upper_bound(n))) ++n;
    return n;
}

inline std::size_t alternatives_beside_base(comparison const& of) {
    return of.records.size() < 2 ? std::size_t{1} : of.records.size() - 1;
}

} // namespace detail

/// Speed-up of an alternative over the base: exp of the median over rounds of ln(t_base / t). Throws std::out_of_range
/// if there is no such alternative, and std::invalid_argument if there are no rounds.
[[nodiscard]] inline double speedup(comparison const& of, std::size_t alternative) {
    auto const all = detail::speedups(of, alternative);
    detail::order_statistics ordered{detail::as_span(all)};
    auto const below = ordered[(all.size() - 1) / 2].count(), above = ordered[all.size() / 2].count();
    return below == above ? below : detail::square_root(below * above);
}

/// Confidence interval of the speed-up; empty for too few rounds. Throws what `speedup` throws.
///
/// It is the interval of the median by order statistics, so a disturbed round counts as one round however long it took.
/// With m alternatives beside the base, each interval misses the true value in at most (1 - confidence) / m of all
/// cases, so that all intervals hold together with this confidence (Bonferroni). The interval is corrected by the upper
/// bound of the autocorrelation time and not by its estimate, because a rule that is evaluated until the interval is
/// narrow stops when the estimate is too small. It includes the speed-ups of times that differ from the medians by half
/// a tick of the clock, so that one tick does not count as a difference.
[[nodiscard]] inline std::optional<speedup_range> speedup_interval(comparison const& of, std::size_t alternative,
                                                                   double confidence = 0.95) {
    auto const all = detail::speedups(of, alternative);
    auto const tau = autocorrelation_time_bound(detail::as_span(all));
    auto const misses = (1 - confidence) / static_cast<double>(detail::alternatives_beside_base(of));
    auto const interval = median_interval(detail::as_span(all), 1 - misses, tau);
    if (!interval) return std::nullopt;
    speedup_range found{interval->low.count(), interval->high.count()};
    if (alternative == 0) return found; // the same times
    auto const ticks = detail::speedup_in_ticks(of, alternative, speedup(of, alternative));
    if (ticks.low < found.low) found.low = ticks.low;
    if (ticks.high > found.high) found.high = ticks.high;
    return found;
}

/// The smallest number of rounds in which a speed-up can have an interval, and so an outcome, with `count` alternatives
/// including the base. Two alternatives need 12 rounds; more alternatives or correlated rounds need more. The number of
/// rounds of `compare` is a multiple of `count`.
[[nodiscard]] inline std::size_t rounds_needed(std::size_t count, double confidence = 0.95) {
    return detail::ratios_needed(1, count < 2 ? std::size_t{1} : count - 1, confidence, {});
}

/// The smallest number of rounds in which the speed-up of an alternative would have an interval, if its rounds stay as
/// correlated as they are. Empty if it has an interval already. Throws what `speedup` throws.
[[nodiscard]] inline std::optional<std::size_t> rounds_needed(comparison const& of, std::size_t alternative,
                                                              double confidence = 0.95) {
    auto const all = detail::speedups(of, alternative);
    auto const found = detail::sum_autocorrelation(detail::as_span(all), median(detail::as_span(all)));
    auto const least = detail::ratios_needed(all.size(), detail::alternatives_beside_base(of), confidence, found);
    return least == all.size() ? std::nullopt : std::optional{least};
}

/// Classify an alternative as faster or slower than the base. It is undecided if its speed-up has no interval, if the
/// interval is not entirely beyond the gain of the criterion, or if a clock was at fault (`flags::clock_fault`).
[[nodiscard]] inline outcome classify(comparison const& of, std::size_t alternative, criterion required = {}) {
    auto const interval = speedup_interval(of, alternative, required.confidence);
    auto const faulty = of.records.at(0).flags.clock_fault || of.records.at(alternative).flags.clock_fault;
    if (!interval || faulty) return outcome::undecided;
    if (interval->low > 1 + required.gain) return outcome::faster;
    return interval->high * (1 + required.gain) < 1 ? outcome::slower : outcome::undecided;
}

/// The outcome in words, such as "faster". If the rounds are too few for any outcome but undecided, the text is
/// "undecided: 8 rounds of at least 14". Throws what `speedup` throws.
[[nodiscard]] inline std::string outcome_text(comparison const& of, std::size_t alternative, criterion required = {}) {
    std::string text = to_string(classify(of, alternative, required));
    if (auto const needed = rounds_needed(of, alternative, required.confidence))
        text +=
            ": " + std::to_string(of.records.at(0).series.size()) + " rounds of at least " + std::to_string(*needed);
    return text;
}

/// Index of the alternative to use: among the alternatives faster than the base, the alternative with the largest
/// speed-up. 0, the base, if no alternative is faster.
[[nodiscard]] inline std::size_t fastest(comparison const& of, criterion required = {}) {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 1; i < of.records.size(); ++i) {
        auto const gain = classify(of, i, required) == outcome::faster ? speedup(of, i) : 0;
        if (!(gain > most)) continue;
        best = i;
        most = gain;
    }
    return best;
}

/// An alternative with a name, or with a whole point. Its record gets this point, and reporters show it:
/// `compare(group, plan, named{"blocking", a}, named{"nonblocking", b})`.
template <Pattern P>
class named : public pattern_adaptor<named<P>, P> {
public:
    named(sonde::point at, P&& pattern) : named::pattern_adaptor{std::forward<P>(pattern)}, point_{std::move(at)} {}
    named(std::string name, P&& pattern) : named{sonde::point{std::move(name), {}}, std::forward<P>(pattern)} {}
    sonde::point const& point() const { return point_; }

private:
    sonde::point point_;
};
template <class P>
named(sonde::point, P&&) -> named<P>;
template <class P>
named(std::string, P&&) -> named<P>;

/// Alternatives whose number is known at run time.
///
///     visit(i, f)    calls f(pattern) once, with alternative i, 0 to count - 1; always the same pattern for i
///
/// For a vector of variants of patterns: `alternatives{all.size(), [&](std::size_t i, auto f) { std::visit(f, all[i]);
/// }}`.
template <class Visit>
struct alternatives {
    std::size_t count;
    Visit visit;
};
template <class Visit>
alternatives(std::size_t, Visit) -> alternatives<Visit>;

namespace detail {

/// A random permutation of 0 to n - 1 (Fisher and Yates).
inline std::vector<std::size_t> permutation(std::size_t n, random_numbers& random) {
    std::vector<std::size_t> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = i;
    for (std::size_t i = n; i > 1; --i) std::swap(all[i - 1], all[random() % i]);
    return all;
}

/// Append a balanced order of n alternatives in n rounds, round after round: each alternative is at each place once.
/// The order is a cyclic Latin square with randomly permuted rows and symbols. For two alternatives it is ABBA or BAAB.
inline void append_latin_square(std::size_t n, random_numbers& random, std::vector<std::size_t>& order) {
    auto const alternatives = permutation(n, random), shifts = permutation(n, random);
    for (auto const shift : shifts)
        for (std::size_t place = 0; place != n; ++place) order.push_back(alternatives[(shift + place) % n]);
}

/// The plan's rule, evaluated for each alternative except the base. Stops once the rule has stopped for each
/// alternative. The rule sees the ratios of the base's times to the alternative's times or, if there is only a base,
/// the times of the base.
template <StoppingRule R>
class rule_per_alternative {
public:
    bool uniform;

    /// `all`: the alternatives, with their blocks since the previous evaluation; must outlive this rule.
    rule_per_alternative(R const& rule, std::vector<measurement> const& all, std::size_t max_samples)
        : uniform{sonde::is_uniform(rule)}, all_{&all}, max_samples_{max_samples},
          rules_(all.size() == 1 ? 1 : all.size() - 1, {scheduled_rule{rule}, {}}) {}

    std::size_t next(std::size_t n) const {
        std::size_t least = 0;
        for (auto const& one : rules_) {
            auto const wanted = one.rule.stopped() ? 0 : one.rule.next(n);
            if (wanted != 0 && (least == 0 || wanted < least)) least = wanted;
        }
        return least;
    }
    decision operator()(progress const& seen) {
        decision all{true, stop_reason::none};
        auto const& base = all_->front().block.slowest;
        auto const alone = all_->size() == 1;
        for (std::size_t i = 0; i != rules_.size(); ++i) {
            auto& one = rules_[i];
            if (one.rule.stopped()) continue;
            auto const& other = (*all_)[alone ? 0 : i + 1].block.slowest;
            auto const block = alone ? base : ratios(base, other, seen.resolution);
            for (std::size_t k = 0; k != block.size() && one.series.size() < max_samples_; ++k)
                one.series.push_back(block[k]);
            auto own = seen;
            own.block = as_span(block);
            own.series = as_span(one.series);
            if (!alone && !block.empty()) // of the latest ratio, from both resolutions
                own.resolution = block.back() * 2 *
                                 (half_tick(seen.resolution, base.back()) + half_tick(seen.resolution, other.back()));
            auto const made = one.rule(own);
            all = {all.stop && made.stop, made.reason};
        }
        return all;
    }

private:
    struct state {
        scheduled_rule<R> rule;
        std::vector<seconds> series;
    };

    std::vector<measurement> const* all_;
    std::size_t max_samples_;
    std::vector<state> rules_;
};

/// A round in which a rank began a sample too late does not count for any alternative. Collective over the group.
void combine_late_rounds(Group auto& group, std::vector<measurement>& all) {
    std::vector<double> late(all.front().block.global.size());
    for (auto const& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) late[i] += one.block.global[i].late ? 1 : 0;
    group.all_reduce({late.data(), late.size()}, reduction::max);
    for (auto& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) one.block.global[i].late = late[i] != 0;
}

/// Take at least `rounds` rounds, in whole Latin squares. A round has a sample of each alternative. Returns the number
/// of rounds. Each sample is synchronized as the first sample of a series is, so that the skew after one alternative
/// does not delay the next one. Collective over the group.
std::size_t take_rounds(Group auto& group, auto& plan, auto& set, std::size_t rounds, random_numbers& random,
                        std::vector<measurement>& all, std::exception_ptr& failure) {
    std::vector<std::size_t> order;
    do append_latin_square(set.count, random, order);
    while (order.size() < rounds * set.count);
    auto const global = detail::global_clock_of(plan.synchronize) != nullptr;
    for (auto& one : all) one.block.reset(order.size() / set.count, global);
    detail::expect(group, order.size() * plan.batch_iterations);
    for (auto const i : order)
        set.visit(i, [&](auto& pattern) {
            detail::with_guard(plan, pattern, failure,
                               [&](auto& guarded) { detail::take_sample(group, plan, guarded, 0, all[i].block); });
        });
    if (global) detail::combine_late_rounds(group, all);
    return order.size() / set.count;
}

} // namespace detail

/// Measure alternatives against each other; the first is the base. Collective over the group; the comparison is equal
/// on all ranks, as records are, and so is every outcome.
///
/// Each alternative is warmed up as by `run`. Then rounds follow. A round has a sample of each alternative, with equal
/// batches. Their order is balanced over every n rounds of n alternatives, so that drift does not favor an alternative.
/// The plan applies as to `run`, with two exceptions. Ranks are synchronized before every sample as before the first
/// sample of a series. The stopping rule counts rounds and sees the ratios of the base's times to an alternative's
/// times; it must stop for each alternative.
///
/// Throws what `run` throws, and std::invalid_argument, on all ranks, if there is no alternative, or if their number
/// differs between ranks.
template <Group G, class Plan, class Visit>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] comparison compare(G& group, Plan plan, alternatives<Visit> set) {
    std::string base;
    if (set.count != 0) set.visit(0, [&](auto& pattern) { base = detail::point_of(pattern).name; });
    detail::watched_call const watched{group, "compare", base.c_str()};
    bool valid = true;
    for (std::size_t i = 0; i != set.count; ++i)
        set.visit(i, [&](auto& pattern) { valid = valid && detail::is_valid(sonde::traffic_of(pattern)); });
    auto const known_schedule = detail::require_equal(group, plan, valid, "compare", set.count);
    if (set.count == 0) throw std::invalid_argument{"sonde::compare: needs at least one alternative"};
    detail::synchronize_clocks(group, plan);
    std::vector<detail::measurement> all(set.count);
    auto const clock = sonde::clock_properties_of(plan.clock);
    for (auto& one : all) one.found.clock_properties = clock;
    std::exception_ptr failure;                  // of a pattern on this rank
    for (std::size_t i = 0; i != set.count; ++i) // a batch by the timer becomes the largest that any of them needs
        set.visit(i, [&](auto& pattern) {
            all[i].found.point = detail::point_of(pattern);
            detail::with_guard(plan, pattern, failure,
                               [&](auto& guarded) { detail::warm_up(group, plan, guarded, all[i]); });
        });
    detail::agree_on_errors(group, plan, failure);
    detail::rule_per_alternative rule{plan.rule, all, plan.retention.max_samples()};
    detail::random_numbers random; // equal on every rank, so that the order is equal
    detail::sample(group, plan, rule, known_schedule, all, failure, [&](std::size_t, std::size_t rounds) {
        return detail::take_rounds(group, plan, set, rounds, random, all, failure);
    });
    detail::expect(group, 0);
    auto const deviation = detail::clock_deviation_of(group, plan);
    comparison found;
    for (std::size_t i = 0; i != set.count; ++i) {
        set.visit(i,
                  [&](auto& pattern) { detail::finish(group, plan, sonde::traffic_of(pattern), deviation, all[i]); });
        found.records.push_back(std::move(all[i].found));
    }
    return found;
}

/// Measure a base and other patterns against each other: `compare(group, plan, old_way, new_way)`.
template <Group G, class Plan, Pattern Base, Pattern... Others>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] comparison compare(G& group, Plan plan, Base&& base, Others&&... others) {
    auto const visit = [&](std::size_t i, auto f) {
        auto const call = [&](auto& pattern) {
            if (i-- == 0) f(pattern);
        };
        call(base);
        (call(others), ...);
    };
    return sonde::compare(group, std::move(plan), alternatives{1 + sizeof...(others), visit});
}

template <class G, class Plan, class... All>
    requires(!Group<std::remove_reference_t<G>> && detail::plan_like<Plan>)
SONDE_REFUSE("the first argument must be a sonde::Group: make a sonde::mpi::group of an MPI_Comm",
             compare(G&&, Plan, All&&...));

namespace detail {

template <class G, class Plan, class... All>
concept can_compare =
    requires(G& group, Plan plan, All&&... all) { sonde::compare(group, std::move(plan), std::forward<All>(all)...); };

} // namespace detail

/// Measure alternatives, and return the index of the alternative to use, equal on all ranks:
/// `fastest(group, plan, all...)`, or, by another criterion, `fastest(group, plan, criterion{.gain = 0.02}, all...)`.
template <class G, class Plan, class... All>
    requires detail::can_compare<G, Plan, All...>
[[nodiscard]] std::size_t fastest(G& group, Plan plan, All&&... all) {
    return sonde::fastest(sonde::compare(group, std::move(plan), std::forward<All>(all)...));
}
template <class G, class Plan, class... All>
    requires detail::can_compare<G, Plan, All...>
[[nodiscard]] std::size_t fastest(G& group, Plan plan, criterion required, All&&... all) {
    return sonde::fastest(sonde::compare(group, std::move(plan), std::forward<All>(all)...), required);
}

} // namespace sonde

#include <sonde/detail/refuse.inc>
