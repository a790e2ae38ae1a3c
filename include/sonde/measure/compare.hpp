// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/measure/series.hpp>
#include <sonde/measure/warm_up.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1 {

/// An alternative with a name, or with a whole point. Its record gets this point, and reporters show it:
/// `compare(group, plan, named{"blocking", a}, named{"nonblocking", b})`.
template <Pattern P>
class named : public pattern_adaptor<named<P>, P> {
public:
    named(sonde::point at, P&& pattern) : named::pattern_adaptor{std::forward<P>(pattern)}, point_{std::move(at)} {}
    sonde::point const& point() const { return point_; }

private:
    sonde::point point_;
};
template <class P>
named(sonde::point, P&&) -> named<P>;

/// Alternatives whose number is known at run time.
///
///     visit(i, f)    calls f(pattern) once, with alternative i, 0 to count - 1; always the same pattern for i
///
/// For a vector of variants of patterns: `alternatives{all.size(), [&](std::size_t i, auto f) { std::visit(f, all[i]);
/// }}`.
template <class Visit>
struct alternatives {
    std::size_t count; // number of alternatives
    Visit visit;       // `visit(i, f)` calls f with pattern i
};
template <class Visit>
alternatives(std::size_t, Visit) -> alternatives<Visit>;

namespace detail {

/// Append a balanced order of n alternatives in n rounds, round after round: each alternative is at each place once.
/// The order is a cyclic Latin square with randomly permuted rows and symbols. For two alternatives it is ABBA or BAAB.
void append_latin_square(std::size_t n, random_numbers& random, std::vector<std::size_t>& order);

/// The plan's rule, with a copy for each alternative but the base. Stops once all copies have stopped.
///
/// A copy gets the speed-ups of its alternative, base time over alternative time round by round, in place of times: the
/// series ends when the speed-up is known. A speed-up is a number of `seconds`, because rules take those; so is the
/// resolution, the change of the speed-up by a tick of the clock. If there is only a base, the rule gets its times.
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
            if (!alone && !one.series.empty())
                own.resolution = resolution_of_ratios(one.series, i + 1, seen.resolution);
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

    /// The change of the median speed-up by a tick in either time. A tick is relative to the median time, because the
    /// latest time may be that of a preempted iteration.
    seconds resolution_of_ratios(std::vector<seconds> const& ratios, std::size_t alternative, seconds tick) const {
        auto const half = [&](std::size_t i) { return half_tick(tick, median(as_span((*all_)[i].found.series))); };
        return median(as_span(ratios)) * 2 * (half(0) + half(alternative));
    }

    std::vector<measurement> const* all_;
    std::size_t max_samples_;
    std::vector<state> rules_;
};

/// A round in which a rank began a sample too late does not count for any alternative. Collective over the group.
void combine_late_rounds(group_ref const& group, std::vector<measurement>& all);

/// Call the hook `after_warmup` of each alternative.
void end_warmup(auto& plan, auto& set, std::exception_ptr& failure) {
    for (std::size_t i = 0; i != set.count; ++i)
        set.visit(i, [&](auto& pattern) {
            detail::with_guard(plan, pattern, failure, [](auto const& guarded) { guarded.after_warmup(); });
        });
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
            detail::with_guard(plan, pattern, failure, [&](auto const& guarded) {
                detail::take_sample(group, plan, guarded, 0, all[i].block);
            });
        });
    if (global) detail::combine_late_rounds(group_ref{group}, all);
    return order.size() / set.count;
}

/// The comparison, with the complete record of each alternative. Collective over the group.
comparison finish_all(group_ref const& group, auto& plan, auto& set, clock_deviation deviation,
                      std::vector<measurement>& all) {
    comparison found;
    for (std::size_t i = 0; i != set.count; ++i) {
        set.visit(i, [&](auto& pattern) {
            detail::finish(
                group, plan, [&] { return sonde::traffic_of(pattern); }, deviation, all[i]);
        });
        found.records.push_back(std::move(all[i].found));
    }
    return found;
}

/// `compare` with the point of alternative i, `point_at(i, pattern)`. `require(one)` may throw on all ranks for a
/// measurement after its warm-up.
template <class Plan>
comparison compare(Group auto& group, Plan plan, auto set, char const* function, auto point_at, auto require) {
    collective_call call{function, "", set.count};
    std::exception_ptr failure;
    std::vector<measurement> all;
    detail::attempt(failure, [&] {
        all.resize(set.count);
        for (std::size_t i = 0; i != set.count; ++i)
            set.visit(i, [&](auto& pattern) {
                all[i].found.point = point_at(i, pattern);
                call.add(all[i].found.point, sonde::traffic_of(pattern), sonde::requirements_of(pattern));
                static_cast<void>(sonde::role_of(pattern)); // where it throws, it throws here
            });
    });
    auto const name = all.empty() ? std::string{} : all.front().found.point.name + (set.count > 1 ? " and others" : "");
    detail::watched_call watched{group, function, name.c_str()};
    group_ref const ranks{group};
    auto const known_schedule = detail::require_equal(ranks, plan, call, failure);
    if (set.count == 0) throw std::invalid_argument{"sonde::compare: needs at least one alternative"};
    detail::measured_exchange const under_way{watched.held()};
    detail::synchronize_clocks(group, plan);
    auto const clock = sonde::clock_properties_of(plan.clock);
    for (auto& one : all) one.found.clock_properties = clock;
    for (std::size_t i = 0; i != set.count; ++i) // a batch by the timer becomes the largest that any of them needs
        set.visit(i, [&](auto& pattern) {
            detail::with_guard(plan, pattern, failure,
                               [&](auto const& guarded) { detail::warm_up(group, plan, guarded, all[i]); });
            detail::keep_pace(group);
        });
    detail::agree_on_errors(ranks, plan, failure);
    for (auto const& one : all) require(one);
    detail::rule_per_alternative rule{plan.rule, all, plan.retention.max_samples()};
    detail::random_numbers random; // equal on every rank, so that the order is equal
    detail::sample(ranks, plan, rule, known_schedule, all, failure, [&](std::size_t taken, std::size_t rounds) {
        if (taken == 0) detail::end_warmup(plan, set, failure);
        return detail::take_rounds(group, plan, set, rounds, random, all, failure);
    });
    detail::expect(group, 0);
    return detail::finish_all(ranks, plan, set, detail::clock_deviation_of(group, plan), all);
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
/// Throws what `run` throws, and std::invalid_argument, on all ranks, if there is no alternative, or if their number,
/// their names or the order of their names differ between ranks.
template <Group G, class Plan, class Visit>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] comparison compare(G& group, Plan plan, alternatives<Visit> set) {
    return detail::compare(
        group, std::move(plan), std::move(set), "compare",
        [](std::size_t, auto const& pattern) { return detail::pattern_hook::point(pattern); }, [](auto const&) {});
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
SONDE_REFUSE(
    "the first argument must be a sonde::Group: make a sonde::mpi::group of an MPI_Comm; for a type of your own "
    "static_assert(sonde::Group<my_group>) names the fault",
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
/// The same for a comparison that it makes. Collective over the group. The criterion is checked before the measurement.
template <class G, class Plan, class... All>
    requires detail::can_compare<G, Plan, All...>
[[nodiscard]] std::size_t fastest(G& group, Plan plan, criterion required, All&&... all) {
    detail::require_valid(required);
    return sonde::fastest(sonde::compare(group, std::move(plan), std::forward<All>(all)...), required);
}

} // namespace sonde

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

/// A random permutation of 0 to n - 1 (Fisher and Yates).
SONDE_INLINE std::vector<std::size_t> permutation(std::size_t n, random_numbers& random) {
    std::vector<std::size_t> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = i;
    for (std::size_t i = n; i > 1; --i) std::swap(all[i - 1], all[random() % i]);
    return all;
}

SONDE_INLINE void append_latin_square(std::size_t n, random_numbers& random, std::vector<std::size_t>& order) {
    auto const alternatives = permutation(n, random), shifts = permutation(n, random);
    for (auto const shift : shifts)
        for (std::size_t place = 0; place != n; ++place) order.push_back(alternatives[(shift + place) % n]);
}

SONDE_INLINE void combine_late_rounds(group_ref const& group, std::vector<measurement>& all) {
    std::vector<double> late(all.front().block.global.size());
    for (auto const& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) late[i] += one.block.global[i].late ? 1 : 0;
    group.all_reduce({late.data(), late.size()}, reduction::max);
    for (auto& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) one.block.global[i].late = late[i] != 0;
}

} // namespace sonde::detail

#endif

#include <sonde/detail/refuse.inc>
