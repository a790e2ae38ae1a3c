// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/sampling.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/record.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::detail {

/// A random permutation of 0 to n - 1 (Fisher and Yates).
inline std::vector<std::size_t> permutation(std::size_t n, random_numbers& random) {
    std::vector<std::size_t> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = i;
    for (std::size_t i = n; i > 1; --i) std::swap(all[i - 1], all[random() % i]);
    return all;
}

/// Append a balanced order of n alternatives in n rounds, round after round: each alternative is at each place once. It
/// is a cyclic Latin square with randomly permuted rows and symbols; of two alternatives ABBA or BAAB.
inline void append_latin_square(std::size_t n, random_numbers& random, std::vector<std::size_t>& order) {
    auto const alternatives = permutation(n, random), shifts = permutation(n, random);
    for (auto const shift : shifts)
        for (std::size_t place = 0; place != n; ++place) order.push_back(alternatives[(shift + place) % n]);
}

/// The speed-ups base / other; 1 for equal times, including those of a clock that did not advance. In seconds, the type
/// of the statistics.
inline std::vector<seconds> ratios(std::vector<seconds> const& base, std::vector<seconds> const& other) {
    std::vector<seconds> all;
    for (std::size_t i = 0; i != base.size(); ++i) all.emplace_back(base[i] == other.at(i) ? 1 : base[i] / other[i]);
    return all;
}

/// The plan's rule, evaluated for each alternative beside the base; stops once it has stopped for all of them. The
/// times of its progress are ratios of the base's times to the alternative's; of a base alone, the times of the base.
/// They are as many as the records hold.
template <StoppingRule R>
class rule_per_alternative {
public:
    bool uniform;

    /// `blocks`: for each alternative the times since the previous evaluation; must outlive this rule.
    rule_per_alternative(R const& rule, std::vector<std::vector<seconds>> const& blocks, std::size_t max_samples)
        : uniform{sonde::is_uniform(rule)}, blocks_{&blocks}, max_samples_{max_samples},
          rules_(blocks.size() == 1 ? 1 : blocks.size() - 1, {scheduled_rule{rule}, {}}) {}

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
        auto const alone = blocks_->size() == 1;
        for (std::size_t i = 0; i != rules_.size(); ++i) {
            auto& one = rules_[i];
            if (one.rule.stopped()) continue;
            auto const block = alone ? blocks_->front() : ratios(blocks_->front(), (*blocks_)[i + 1]);
            for (std::size_t k = 0; k != block.size() && one.series.size() < max_samples_; ++k)
                one.series.push_back(block[k]);
            auto own = seen;
            own.block = as_span(block);
            own.series = as_span(one.series);
            if (!alone) own.resolution = {}; // the resolution of ratios is not that of times
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

    std::vector<std::vector<seconds>> const* blocks_;
    std::size_t max_samples_;
    std::vector<state> rules_;
};

/// An alternative while it is measured.
struct measured_alternative {
    record found;
    rank_samples mine{};
    sample_block block{};
    seconds first{}; // iteration, of the warm-up
    traffic moved{};
};

/// A round in which a rank began a sample too late does not count for any alternative. Collective over the group.
template <Group G>
void combine_late_rounds(G& group, std::vector<measured_alternative>& all) {
    std::vector<double> late(all.front().block.late.size());
    for (auto const& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) late[i] += one.block.late[i] ? 1 : 0;
    group.all_reduce({late.data(), late.size()}, reduction::max);
    for (auto& one : all)
        for (std::size_t i = 0; i != late.size(); ++i) one.block.late[i] = late[i] != 0;
}

/// Take rounds, a sample of each alternative, in whole Latin squares: at least `rounds`. Returns their number. Memory
/// is reserved before the first begins. Each sample is synchronized as the first of a series, so that the skew after
/// one alternative does not delay the next one. Collective over the group.
template <Group G, class Plan, class Set>
std::size_t take_rounds(G& group, Plan& plan, Set& set, std::size_t rounds, random_numbers& random,
                        std::vector<measured_alternative>& all) {
    std::vector<std::size_t> order;
    do append_latin_square(set.count, random, order);
    while (order.size() < rounds * set.count);
    auto const global = detail::global_clock_of(plan.synchronize) != nullptr;
    for (auto& one : all) one.block.reset(order.size() / set.count, global);
    for (auto const i : order)
        set.visit(i, [&](auto& pattern) { detail::take_sample(group, plan, pattern, 0, all[i].block); });
    if (global) detail::combine_late_rounds(group, all);
    return order.size() / set.count;
}

/// Sample rounds until the plan's rule has stopped for all alternatives. Collective over the group.
template <Group G, class Plan, class Set>
void sample_rounds(G& group, Plan& plan, Set& set, std::vector<measured_alternative>& all, bool known_schedule) {
    auto const& base = all.front();
    std::vector<std::vector<seconds>> blocks(all.size());
    rule_per_alternative rule{plan.rule, blocks, plan.retention.max_samples()};
    elapsed_time const elapsed{plan.clock, !sonde::is_uniform(rule)};
    auto const resolution = base.found.clock_properties.resolution / static_cast<double>(base.found.batch);
    random_numbers random; // equal on every rank, and so the order
    evaluation latest{{}, rule.next(0)};
    for (std::size_t taken = 0; !latest.decision.stop || base.mine.counted == 0;) {
        auto const rounds = detail::take_rounds(group, plan, set, block_size(latest.next), random, all);
        auto const so_far = elapsed();
        taken += rounds;
        for (std::size_t i = 0; i != all.size(); ++i) {
            detail::add_block(group, all[i].block, plan.retention, all[i].mine, all[i].found);
            blocks[i] = all[i].block.slowest;
        }
        detail::require_some_in_time(base.found, taken);
        latest = detail::evaluate(group, rule, known_schedule,
                                  progress{as_span(blocks.front()), so_far, {}, base.mine.counted, resolution});
    }
    for (auto& one : all) one.found.stop = {latest.decision.reason, base.mine.counted};
}

} // namespace sonde::detail
