// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/ascending.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde {

/// What reading a clock does to a measurement.
///
/// cost: one read. quantum: the step the clock advances by, 0 where none was seen. bias: what an empty timed region
/// shows.
struct timer {
    seconds cost{};
    seconds quantum{};
    seconds bias{};
};

namespace detail {

/// The smallest positive distance between neighbours; 0 where there is none.
inline seconds smallest_gap(std::vector<seconds> const& ascending) {
    seconds smallest{};
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        auto const gap = ascending[i] - ascending[i - 1];
        if (gap > seconds{} && (smallest == seconds{} || gap < smallest)) smallest = gap;
    }
    return smallest;
}

/// The middles of clusters of times: neighbours up to 2 ns apart, by which a clock's conversion to whole nanoseconds
/// moves a reading, are in one.
inline std::vector<seconds> cluster_middles(std::vector<seconds> const& ascending) {
    constexpr seconds same{2.5e-9}; // between 2 and 3, so that rounding does not decide
    std::vector<seconds> middles;
    for (std::size_t begin = 0, i = 1; i <= ascending.size(); ++i) {
        if (i != ascending.size() && ascending[i] - ascending[i - 1] < same) continue;
        middles.push_back((ascending[begin] + ascending[i - 1]) / 2);
        begin = i;
    }
    return middles;
}

/// The clock's step, from `ascending` read differences: the smallest distance between clusters of them (20, 21, 30,
/// 31 ns: 10 ns); of a single cluster, the smallest distance within. The smallest positive difference itself would be
/// the cost of a read.
inline seconds quantum_of(std::vector<seconds> const& ascending) {
    auto const middles = cluster_middles(ascending);
    return smallest_gap(middles.size() > 1 ? middles : ascending);
}

template <Clock C>
std::vector<seconds> read_differences(C& clock, std::size_t pairs) {
    std::vector<seconds> differences(pairs);
    for (auto& d : differences) {
        auto const begin = clock.now();
        auto const end = clock.now();
        d = end - begin;
    }
    return ascending(std::move(differences));
}

/// The cheapest of 11 batches of 1000 reads: what disturbs a batch can only make it slower.
template <Clock C>
seconds read_cost(C& clock) {
    seconds best{};
    for (int batch = 0; batch != 11; ++batch) {
        auto const begin = clock.now();
        for (int i = 0; i != 999; ++i) static_cast<void>(clock.now());
        seconds const elapsed = clock.now() - begin;
        if (batch == 0 || elapsed / 1000 < best) best = elapsed / 1000;
    }
    return best;
}

} // namespace detail

/// What a sample must last for the clock not to limit it: 20 times what an empty one shows, and 100 steps of the clock,
/// so that they are below 5 % and 1 % (Hoefler and Belli, Scientific benchmarking of parallel computing systems, SC15,
/// 4.2.1).
[[nodiscard]] inline seconds least_sample(timer const& clock) {
    auto const by_bias = 20 * clock.bias, by_step = 100 * clock.quantum;
    return by_bias < by_step ? by_step : by_bias;
}

/// Measure a clock: about 50,000 reads, 2 ms for a clock of the usual cost.
template <Clock C>
[[nodiscard]] timer measure_timer(C& clock) {
    auto const cost = detail::read_cost(clock);
    auto const differences = detail::read_differences(clock, 20'000);
    return {cost, detail::quantum_of(differences), differences[differences.size() / 2]};
}

namespace detail {

/// The timer of a clock, kept once it is known. No rank waits for another: where ranks are threads (SimGrid's SMPI), a
/// reading of the clock may let another one run, and the initialization of a static variable must not be left so.
class kept_timer {
public:
    bool is_known() const { return __atomic_load_n(&state_, __ATOMIC_ACQUIRE) == known; }
    timer const& value() const { return value_; }
    /// The first call decides the value.
    void keep(timer const& measured) {
        if (__atomic_fetch_add(&claims_, 1, __ATOMIC_RELAXED) != 0) return;
        value_ = measured;
        __atomic_store_n(&state_, known, __ATOMIC_RELEASE);
    }

private:
    enum : int { unknown, known }; // with builtins, since <atomic> would add a fifth to the compile time of the core
    int state_ = unknown;
    unsigned claims_ = 0;
    timer value_{};
};

} // namespace detail

/// The timer of a clock: what `clock.timer()` says where there is one, else measured; once per process where the
/// clock has no state.
template <Clock C>
[[nodiscard]] timer timer_of(C& clock) {
    if constexpr (requires { requires std::convertible_to<decltype(clock.timer()), timer>; }) {
        return clock.timer();
    } else if constexpr (std::is_empty_v<C>) {
        static constinit detail::kept_timer kept;
        if (kept.is_known()) return kept.value();
        auto const measured = sonde::measure_timer(clock);
        kept.keep(measured);
        return measured;
    } else {
        return sonde::measure_timer(clock);
    }
}

} // namespace sonde
