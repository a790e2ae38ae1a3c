// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/balanced_order.hpp>
#include <sonde/detail/rule_of_each.hpp>
#include <sonde/detail/samples_taken.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/measure.hpp>
#include <sonde/pattern.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <vector>

namespace sonde::detail {

/// One alternative while it is measured.
struct contender {
    record found;
    own_samples mine{};
    samples_taken block{};
    seconds first{}; // iteration, of the warm-up
    traffic moved{};
};

/// A round in which a rank began a sample too late does not count for any alternative. Collective over the group.
template <Group G>
void agree_on_late(G& group, std::vector<contender>& all) {
    std::vector<double> late(all.front().block.late.size());
    for (auto const& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) late[i] += one.block.late[i] ? 1 : 0;
    group.all_reduce({late.data(), late.size()}, reduction::max);
    for (auto& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) one.block.late[i] = late[i] != 0;
}

/// The order of at least so many rounds, in whole squares.
inline std::vector<std::size_t> order_of(std::size_t rounds, std::size_t alternatives, splitmix& random) {
    std::vector<std::size_t> order;
    do {
        auto const square = balanced_order(alternatives, random);
        order.insert(order.end(), square.begin(), square.end());
    } while (order.size() < rounds * alternatives);
    return order;
}

/// Take rounds, a sample of each alternative: at least so many. Memory is there before the first begins. Each sample is
/// synchronized as the first of a series: no rank is to carry what one alternative made it wait into the next one.
template <Group G, class Plan, class Set>
std::size_t take_rounds(G& group, Plan& plan, Set& set, std::size_t rounds, splitmix& random,
                        std::vector<contender>& all) {
    auto const order = order_of(rounds, set.count, random);
    auto* const window = detail::window_of(plan.synchronize);
    for (auto& one : all) one.block.clear_for(order.size() / set.count, window != nullptr);
    for (auto const i : order)
        set.visit(i, [&](auto& pattern) { detail::take_one(group, plan, pattern, 0, all[i].block); });
    if (window != nullptr) detail::agree_on_late(group, all);
    return order.size() / set.count;
}

/// Rounds, until the plan's rule is content. Collective over the group.
template <Group G, class Plan, class Set>
void sample_rounds(G& group, Plan& plan, Set& set, std::vector<contender>& all, bool known_schedule) {
    auto const& base = all.front();
    std::vector<std::vector<seconds>> counted(all.size());
    rule_of_each rule{plan.rule, counted, plan.keeps.most_samples()};
    elapsed_time const elapsed{plan.clock, !sonde::is_uniform(rule)};
    auto const resolution = base.found.timer.quantum / static_cast<double>(base.found.batch);
    splitmix random; // begins alike on every rank: all take the same order
    decision answer{{}, rule.next(0)};
    for (std::size_t taken = 0; !answer.said.stop || base.mine.counted == 0;) {
        auto const rounds = detail::take_rounds(group, plan, set, size_of_block(answer.next), random, all);
        auto const so_far = elapsed();
        taken += rounds;
        for (std::size_t i = 0; i != all.size(); ++i) {
            detail::add_block(group, all[i].block, plan.keeps, all[i].mine, all[i].found);
            counted[i] = all[i].block.slowest;
        }
        detail::require_some_in_time(base.found, taken);
        answer =
            detail::decide(group, rule, known_schedule,
                           look{from(counted.front()), so_far, {}, base.mine.counted, resolution}, base.mine.counted);
    }
    for (auto& one : all) one.found.stopped = {answer.said.why, base.mine.counted};
}

} // namespace sonde::detail
