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
/// cost: one read. quantum: the step the clock advances by. bias: what an empty timed region shows.
struct timer {
    seconds cost{};
    seconds quantum{};
    seconds bias{};
};

namespace detail {

/// The step between clusters of `ascending` read differences. Values up to 2 ns apart are one cluster: the smallest
/// positive difference itself would be the cost of a read, not the clock's step.
inline seconds quantum_of(std::vector<seconds> const& ascending) {
    constexpr seconds same{2e-9};
    seconds between{}, within{};
    auto const keep_smaller = [](seconds& smallest, seconds gap) {
        if (smallest == seconds{} || gap < smallest) smallest = gap;
    };
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        auto const gap = ascending[i] - ascending[i - 1];
        if (gap > same) keep_smaller(between, gap);
        else if (gap > seconds{}) keep_smaller(within, gap);
    }
    return between > seconds{} ? between : within;
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

/// Measure a clock: about 120,000 reads, 5 ms for a clock of the usual cost.
template <Clock C>
timer measure_timer(C& clock) {
    auto const cost = detail::read_cost(clock);
    auto const differences = detail::read_differences(clock, 100'000);
    return {cost, detail::quantum_of(differences), differences[differences.size() / 2]};
}

/// The timer of a clock: what `clock.timer()` says where there is one, else measured; once per process where the
/// clock has no state.
template <Clock C>
timer timer_of(C& clock) {
    if constexpr (requires { { clock.timer() } -> std::convertible_to<timer>; }) {
        return clock.timer();
    } else if constexpr (std::is_empty_v<C>) {
        static timer const measured = measure_timer(clock);
        return measured;
    } else {
        return measure_timer(clock);
    }
}

} // namespace sonde
