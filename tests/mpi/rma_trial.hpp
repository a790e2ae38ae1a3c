// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rma_sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace one_sided {

/// One operation in one type of epoch, by several ranks at once: prepared, run, and checked on both sides.
class trial {
public:
    static constexpr std::size_t iterations = 2; // the second epoch opens after the first has closed

    trial(sonde::mpi::group& ranks, seen_window const& window, relation const& accesses, effect does, std::size_t many)
        : ranks_{&ranks}, window_{&window}, accesses_{&accesses}, does_{does}, moved_{many * does.numbers} {
        for (std::size_t i = 0; i != own; ++i) {
            memory_.from[i] = sent(me(), i);
            memory_.expected[i] = expected(me(), i);
        }
        memory_.into.assign(own * (targets(me()).empty() ? 1 : targets(me()).size()), untouched);
        auto const own_part = locked();
        for (std::size_t place = 0; place != window.numbers().size(); ++place)
            window.numbers()[place] = in_window(me(), place);
    }

    /// Wrong numbers on this rank after make(memory) -> pattern has run. An epoch without completion at the target ends
    /// with the pattern; the barrier after it notifies the target.
    template <class Make>
    std::size_t errors(Make make) {
        ranks_->barrier();
        {
            auto pattern = make(memory_);
            for (std::size_t i = 0; i != iterations; ++i) pattern();
        }
        ranks_->barrier();
        return wrong_in_window() + wrong_in_memory();
    }

private:
    int me() const { return ranks_->rank(); }
    /// A lock of the own rank. In the separate memory model, passive targets load received data and publish stored data
    /// under a lock only.
    sonde::mpi::scoped_locks locked() const {
        return {*window_, sonde::mpi::peer{me()}, sonde::mpi::lock_type::exclusive};
    }
    std::vector<int> const& targets(int origin) const { return (*accesses_)[static_cast<std::size_t>(origin)]; }
    bool reaches(int origin, int target) const {
        return std::count(targets(origin).begin(), targets(origin).end(), target) != 0;
    }
    /// The compare value of a swap: every second number equals the first target's.
    number expected(int origin, std::size_t i) const {
        return targets(origin).empty() ? 0 : in_window(targets(origin).front(), place_of(origin, i)) + (i % 2 != 0);
    }
    /// Number i of an origin's section at a target after `epochs` epochs.
    number after(std::size_t epochs, int origin, int target, std::size_t i) const {
        auto there = in_window(target, place_of(origin, i));
        for (; epochs != 0 && i < moved_ && reaches(origin, target); --epochs)
            there = does_.changed(there, sent(origin, i), expected(origin, i));
        return there;
    }
    std::size_t wrong_in_window() const {
        auto const own_part = locked();
        std::size_t wrong = 0;
        for (int origin = 0; origin != ranks_->size(); ++origin)
            for (std::size_t i = 0; i != own; ++i)
                wrong += window_->numbers()[place_of(origin, i)] != after(iterations, origin, me(), i);
        return wrong;
    }
    /// Wrong numbers in memory: the result of target k in transfer t is n t + k transfers from its begin; the rest is
    /// unchanged.
    std::size_t wrong_in_memory() const {
        auto right = std::vector<number>(memory_.into.size(), untouched);
        auto const n = targets(me()).size();
        for (std::size_t k = 0; does_.fetches && k != n; ++k)
            for (std::size_t i = 0; i != moved_; ++i)
                right[(n * (i / does_.numbers) + k) * does_.numbers + i % does_.numbers] =
                    after(iterations - 1, me(), targets(me())[k], i);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i != right.size(); ++i) wrong += memory_.into[i] != right[i];
        for (std::size_t i = 0; i != own; ++i)
            wrong += memory_.from[i] != sent(me(), i) || memory_.expected[i] != expected(me(), i);
        return wrong;
    }

    sonde::mpi::group* ranks_;
    seen_window const* window_;
    relation const* accesses_;
    effect does_;
    std::size_t moved_; // numbers of an epoch
    memory memory_;
};

} // namespace one_sided
