// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/measure.hpp>
#include <sonde/metrics.hpp>
#include <sonde/patterns/overlapped.hpp>
#include <sonde/record.hpp>

#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sonde {

/// A communication alone, work alone, and the work while the communication is under way.
struct overlap {
    record communication;
    record work;
    record both;
    std::optional<phase_means> phases; // of `both`, mean over ranks that count; where they were asked for
};

/// What of the runs is timed: iterations as a whole, or also their parts, which reads the clock between them.
enum class timed : unsigned char { whole, phases };

/// How long work is to last, the same on all ranks: as the communication alone typically does.
struct as_typical {
    seconds operator()(record const& communication, int) const { return typical(communication); }
};

namespace detail {

/// Work as a pattern; the ranks count that count in the communication.
template <Work W>
struct work_alone {
    W& work;
    role who;

    void operator()() {
        no_test test;
        sonde::perform(work, test);
    }
    role plays() const { return who; }
};

/// Throws std::invalid_argument, on all ranks, where some want phases and some do not: they would wait for each other.
/// Collective over the group.
template <Group G>
void require_same(G& group, timed what) {
    if (detail::differences(group, std::array{what == timed::phases ? 1.0 : 0.0}).front())
        throw std::invalid_argument{"sonde::measure_overlap: what is timed must be equal on all ranks"};
}

/// Mean over ranks that count. Collective over the group.
template <Group G>
phase_means mean_over_ranks(G& group, phase_means const& mine, bool counts) {
    std::array<double, 5> sums{};
    if (counts) sums = {mine.post.count(), mine.work.count(), mine.test.count(), mine.wait.count(), 1};
    group.all_reduce(sums, reduction::sum);
    auto const mean = [&](double sum) { return seconds{sums[4] == 0 ? 0 : sum / sums[4]}; };
    return {mean(sums[0]), mean(sums[1]), mean(sums[2]), mean(sums[3])};
}

template <Group G, class Plan, Split S, Work W>
void run_both(G& group, Plan const& plan, S& split, W& work, point at, overlap& into) {
    into.both = sonde::run(group, plan, overlapped<S&, W&>{split, work}, std::move(at));
}

template <Group G, class Plan, Split S, Work W>
void run_both_in_phases(G& group, Plan const& plan, S& split, W& work, point at, overlap& into) {
    phases parts{plan.clock};
    into.both = sonde::run(group, plan, overlapped<S&, W&, decltype(parts)&>{split, work, parts}, std::move(at));
    into.phases = detail::mean_over_ranks(group, parts.means(), sonde::plays(split) == role::initiator);
}

} // namespace detail

/// How much of a communication hides behind work: three runs by one plan, communication alone, work alone, both.
/// Collective over the group; what comes back is equal on all ranks.
///
/// Work that has `work.last(seconds)` is told how long to last after the first run: `target(record of the
/// communication, this rank)`, which need not be the same on all ranks; other work is measured as it is. The plan and
/// `what` must be equal on all ranks, else all throw std::invalid_argument. The records carry the point, and a
/// parameter "part": communication, work or both.
template <Group G, class Plan, Split S, Work W, class Target = as_typical>
[[nodiscard]] overlap measure_overlap(G& group, Plan const& plan, S& split, W& work, point const& at = {},
                                      timed what = timed::whole, Target target = {}) {
    detail::require_same(group, what);
    auto const part_of = [](point whole, char const* part) {
        whole.parameters.emplace_back("part", part);
        return whole;
    };
    overlap found;
    found.communication = sonde::run(group, plan, split, part_of(at, "communication"));
    if constexpr (requires(seconds t) { work.last(t); }) work.last(target(found.communication, group.rank()));
    found.work = sonde::run(group, plan, detail::work_alone<W>{work, sonde::plays(split)}, part_of(at, "work"));
    if (what == timed::phases) detail::run_both_in_phases(group, plan, split, work, part_of(at, "both"), found);
    else detail::run_both(group, plan, split, work, part_of(at, "both"), found);
    return found;
}

/// The share of a communication's time that costs nothing beside the work: what both together take less than one after
/// the other, over the communication's time.
///
/// 1 is all, 0 is nothing. It is not clamped: below 0 each costs the other time, above 1 the runs differ by chance.
/// Work that is shorter than the communication hides work / communication of it at most. No number where the
/// communication takes no time.
[[nodiscard]] inline double hidden(seconds communication, seconds work, seconds both) {
    return (communication + work - both) / communication;
}
/// Of the typical times.
[[nodiscard]] inline double hidden(overlap const& o) {
    return hidden(typical(o.communication), typical(o.work), typical(o.both));
}

} // namespace sonde
