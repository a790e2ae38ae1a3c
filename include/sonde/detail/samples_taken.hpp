// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/combine.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sonde::detail {

/// One reduction's worth of a block: for each sample the largest of several numbers over ranks.
class maxima {
public:
    void assign(std::size_t samples, std::size_t kinds) {
        samples_ = samples;
        values_.assign(samples * kinds, never);
    }
    double& of(std::size_t kind, std::size_t sample) { return values_[kind * samples_ + sample]; }
    std::span<double> all() { return {values_.data(), values_.size()}; }

private:
    std::size_t samples_ = 0;
    std::vector<double> values_;
};

/// What this rank saw of the samples since the last look: how long they took, and where there is a global clock, when
/// each began and ended, and whether it began too late; then what all ranks made of them. Memory is kept from block to
/// block.
struct samples_taken {
    std::vector<seconds> times;
    std::vector<seconds> begins;
    std::vector<seconds> ends;
    std::vector<bool> late;
    maxima largest;               // over ranks
    std::vector<seconds> slowest; // the slowest rank's times of the samples that count
    std::vector<seconds> held;    // this rank's times of those that the series holds

    void clear_for(std::size_t count, bool by_global_clock) {
        times.clear();
        begins.clear();
        ends.clear();
        late.clear();
        slowest.clear();
        held.clear();
        times.reserve(count);
        slowest.reserve(count);
        if (!by_global_clock) return;
        begins.reserve(count);
        ends.reserve(count);
        late.reserve(count);
    }
};

/// What this rank adds up over its samples.
struct own_samples {
    role who;
    std::size_t taken = 0;   // samples, those that are redone included
    std::size_t counted = 0; // the others
    seconds sum{};           // of the times of an iteration
    seconds first{};
    std::size_t slowest = 0; // samples in which nobody was slower

    void add(seconds t, bool as_slow_as_any) {
        if (counted++ == 0) first = t;
        sum += t;
        slowest += as_slow_as_any;
    }
    seconds mean() const { return sum / static_cast<double>(counted); }
};

enum : std::size_t { time_kind, late_kind, early_begin, late_begin, early_end, late_end };

/// What all ranks say of a block: the slowest one's times, and the extremes by the global clock where there is one.
/// Ranks that are idle say nothing, of those that are responders the times do not count. Collective over the group.
template <Group G>
void find_largest(G& group, samples_taken& mine, role who) {
    auto const n = mine.times.size();
    auto const global = !mine.begins.empty();
    auto& found = mine.largest;
    found.assign(n, global ? std::size_t{6} : std::size_t{1});
    for (std::size_t i = 0; i != n && who != role::idle; ++i) {
        if (who == role::initiator) found.of(time_kind, i) = mine.times[i].count();
        if (!global) continue;
        found.of(late_kind, i) = mine.late[i] ? 1 : 0;
        found.of(early_begin, i) = -mine.begins[i].count();
        found.of(late_begin, i) = mine.begins[i].count();
        found.of(early_end, i) = -mine.ends[i].count();
        found.of(late_end, i) = mine.ends[i].count();
    }
    group.all_reduce(found.all(), reduction::max);
}

/// Keep a sample by the global clock, of a batch of so many iterations, if a rank took part in it.
inline void append_global(maxima& of, std::size_t i, std::size_t batch, global_times& into) {
    if (of.of(late_begin, i) == never) return;
    into.series.emplace_back((of.of(late_end, i) + of.of(early_begin, i)) / static_cast<double>(batch));
    into.entry_skews.emplace_back(of.of(late_begin, i) + of.of(early_begin, i));
    into.exit_skews.emplace_back(of.of(late_end, i) + of.of(early_end, i));
}

/// Put a block into the record and into this rank's sums; `block.slowest` is then what counts of it. Collective over
/// the group.
template <Group G>
void add_block(G& group, samples_taken& block, kept keeps, own_samples& own, record& into) {
    detail::find_largest(group, block, own.who);
    for (std::size_t i = 0; i != block.times.size(); ++i) {
        if (into.global && block.largest.of(late_kind, i) == 1) {
            ++into.global->redone;
            continue;
        }
        auto const t = block.largest.of(time_kind, i);
        auto const s = seconds{t == never ? 0 : t};
        block.slowest.push_back(s);
        own.add(block.times[i], own.who == role::initiator && !(block.times[i] < s));
        if (into.series.size() == keeps.most_samples()) {
            if (into.rest.empty()) into.rest.emplace_back();
            into.rest.front().add(s);
            continue;
        }
        into.series.push_back(s);
        if (keeps.sample_means) block.held.push_back(block.times[i]);
        if (into.global) append_global(block.largest, i, into.batch, *into.global);
    }
    if (keeps.sample_means)
        detail::append_means(group, from(block.held), own.who == role::initiator, into.sample_means);
}

} // namespace sonde::detail
