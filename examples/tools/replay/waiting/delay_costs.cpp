// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/delay_costs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tools::replay {

namespace {

/// Times of each call that are compared between ranks: up to the call in its pass, so that it does not matter between
/// which calls a rank works.
struct own_times {
    double computation = 0, gap = 0; // since the begin of the pass, up to the call
    double transfer = 0;             // in the call
};

/// The parts of the own times that are more than the ranks' median.
class excess_times {
public:
    excess_times(timed_block const& block, std::vector<std::vector<wait_state>> const& states) : times_(block.size()) {
        for (std::size_t rank = 0; rank != block.size(); ++rank) add(block[rank], states[rank], times_[rank]);
        subtract(block, &own_times::computation);
        subtract(block, &own_times::gap);
        subtract(block, &own_times::transfer);
    }

    /// What the interval before a call, or the transfer in it, adds.
    own_times added(timed_block const& block, std::size_t rank, std::size_t call) const {
        auto found = times_[rank][call];
        if (call == 0 || block[rank][call - 1].pass != block[rank][call].pass) return found;
        found.computation -= times_[rank][call - 1].computation;
        found.gap -= times_[rank][call - 1].gap;
        return found;
    }

private:
    static void add(std::vector<timed_call> const& calls, std::vector<wait_state> const& states,
                    std::vector<own_times>& to) {
        own_times sum;
        for (std::size_t i = 0; i != calls.size(); ++i) {
            auto const& c = calls[i];
            if (i == 0 || calls[i - 1].pass != c.pass) sum = {};
            sum.computation += c.think;
            if (i != 0) sum.gap += std::max(0.0, c.begin - c.think - calls[i - 1].end);
            sum.transfer = c.end - c.begin - states[i].seconds;
            to.push_back(sum);
        }
    }

    void subtract(timed_block const& block, double own_times::*which) {
        std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> all; // by the pass and the place
        for (std::size_t rank = 0; rank != block.size(); ++rank)
            for (std::size_t i = 0; i != block[rank].size(); ++i)
                all[{block[rank][i].pass, block[rank][i].place}].push_back(times_[rank][i].*which);
        std::map<std::pair<std::size_t, std::size_t>, double> medians;
        for (auto& [place, values] : all) medians[place] = lower_median(values);
        for (std::size_t rank = 0; rank != block.size(); ++rank)
            for (std::size_t i = 0; i != block[rank].size(); ++i)
                times_[rank][i].*which -= medians[{block[rank][i].pass, block[rank][i].place}];
    }

    std::vector<std::vector<own_times>> times_;
};

/// The begin or the end of a call: those of call i of a rank have the numbers 2 i and 2 i + 1.
struct moment {
    double time = 0;
    std::size_t rank = 0, number = 0;

    bool is_end() const { return number % 2 == 1; }
    auto key() const { return std::tuple{time, is_end(), rank, number}; }
};

std::vector<moment> moments_of(timed_block const& block) {
    std::vector<moment> all;
    for (std::size_t rank = 0; rank != block.size(); ++rank)
        for (std::size_t i = 0; i != block[rank].size(); ++i) {
            all.push_back({block[rank][i].begin, rank, 2 * i});
            all.push_back({block[rank][i].end, rank, 2 * i + 1});
        }
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.key() < b.key(); });
    return all;
}

/// Goes through a block in the order of time.
class delay_walk {
public:
    delay_walk(timed_block const& block, block_waiting& into)
        : block_{block}, into_{into}, excess_{block, into.states}, late_(block.size()), next_(block.size()),
          is_under_way_(block.size()) {
        for (std::size_t rank = 0; rank != block.size(); ++rank)
            for (auto const& state : into.states[rank])
                if (state) entered_.try_emplace({static_cast<std::size_t>(state.cause.rank), state.cause.call});
        begin_late();
    }

    void go() {
        for (auto const& m : moments_of(block_)) reach(m.rank, m.number);
    }

private:
    /// Ranks are late when the block begins, by what was before it.
    void begin_late() {
        std::vector<double> begins;
        for (auto const& calls : block_)
            if (!calls.empty()) begins.push_back(calls[0].begin - calls[0].think);
        for (std::size_t rank = 0; rank != block_.size(); ++rank)
            if (!block_[rank].empty())
                late_[rank][{before_passes}] =
                    block_[rank][0].begin - block_[rank][0].think - *std::min_element(begins.begin(), begins.end());
    }

    /// Go on up to a moment of a rank. Moments of other ranks at the same time, on which it depends, are before it.
    void reach(std::size_t rank, std::size_t number) {
        is_under_way_[rank] = true;
        for (; next_[rank] <= number; ++next_[rank]) {
            auto const call = next_[rank] / 2;
            if (next_[rank] % 2 == 0) begin(rank, call);
            else end(rank, call);
        }
        is_under_way_[rank] = false;
    }

    void begin(std::size_t rank, std::size_t call) {
        auto const added = excess_.added(block_, rank, call);
        add(rank, delay_kind::computation, call, added.computation);
        late_[rank][{before_passes}] += added.gap;
        if (auto const at = entered_.find({rank, call}); at != entered_.end()) at->second = late_[rank];
    }

    void end(std::size_t rank, std::size_t call) {
        if (auto const& state = into_.states[rank][call]) {
            auto const cause = static_cast<std::size_t>(state.cause.rank);
            auto const is_over = block_[cause][state.cause.call].begin <= block_[rank][call].end;
            if (is_over && !is_under_way_[cause]) reach(cause, 2 * state.cause.call);
            auto const& other = entered_.at({cause, state.cause.call});
            charge(static_cast<int>(rank), block_[rank][call].pass, state.seconds, other);
            if (!other.empty()) late_[rank] = other;
        }
        auto const transfer = excess_.added(block_, rank, call).transfer;
        if (block_[rank][call].is_collective) late_[rank][{order_of_collective}] += transfer;
        else add(rank, delay_kind::transfer, call, transfer);
    }

    void add(std::size_t rank, delay_kind kind, std::size_t call, double seconds) {
        constexpr double smallest = 1e-12; // sums of times of a clock are rounded
        if (std::fabs(seconds) < smallest) return;
        delay_source const source{static_cast<int>(rank), kind, block_[rank][call].place};
        late_[rank][source] += seconds;
        into_.own[source] += seconds;
    }

    /// Charge a rank's waiting to what made the other one later. The part of a rank that is early has no late rank.
    void charge(int rank, std::size_t pass, double waiting, delays const& other) {
        auto more = other;
        for (auto const& [source, seconds] : late_[static_cast<std::size_t>(rank)]) more[source] -= seconds;
        double sum = 0;
        for (auto const& [source, seconds] : more) sum += std::max(seconds, 0.0);
        if (!(sum > 0)) return;
        auto const part = std::min(1.0, waiting / sum);
        if (into_.charged_in_pass.size() <= pass) into_.charged_in_pass.resize(pass + 1);
        for (auto const& [source, seconds] : more) {
            if (!(seconds > 0) || source.rank == rank) continue;
            into_.charged[source] += part * seconds;
            into_.charged_in_pass[pass][source] += part * seconds;
        }
    }

    timed_block const& block_;
    block_waiting& into_;
    excess_times excess_;
    std::vector<delays> late_;                                      // of each rank
    std::vector<std::size_t> next_;                                 // moment of each rank
    std::vector<bool> is_under_way_;                                // ranks that are between two moments
    std::map<std::pair<std::size_t, std::size_t>, delays> entered_; // of ranks when they enter calls that others await
};

} // namespace

double lower_median(std::vector<double> of) {
    auto const middle = of.begin() + static_cast<std::ptrdiff_t>((of.size() - 1) / 2);
    std::nth_element(of.begin(), middle, of.end());
    return *middle;
}

block_waiting delay_costs(timed_block const& block, std::span<double const> errors) {
    block_waiting found;
    for (std::size_t rank = 0; rank != block.size(); ++rank) {
        auto& states = found.states.emplace_back();
        for (auto const& call : block[rank]) {
            states.push_back(wait_of(call, static_cast<int>(rank), block, errors));
            found.waiting += states.back().seconds;
            found.seconds += call.think + call.end - call.begin;
        }
    }
    delay_walk{block, found}.go();
    return found;
}

} // namespace tools::replay
