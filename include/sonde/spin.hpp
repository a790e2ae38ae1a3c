// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/view.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>
#include <sonde/timer.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde {

/// Units of work that need a processor core and nothing else, of about a nanosecond each: every multiplication waits
/// for the one before.
class chain {
public:
    void operator()(std::size_t units) {
        auto link = end_;
        for (; units != 0; --units) link = link * link + 1; // a square, because compilers make one linear step of many
        end_ = link;
    }

private:
    std::uint64_t volatile end_ = 2; // for all that a compiler knows somebody reads it: no unit can be left out
};

/// Work that lasts as long as it is told and does not read a clock meanwhile: so many units, at a rate found with a
/// clock.
///
///     sonde::spin work{3};   // calls test() three times, after each third
///     work.last(20us);
///     work(test);
///
/// It does not take longer than told, as this clock sees it, readings included; how much shorter is up to the clock's
/// step and what disturbs. Tests end with the one that says true. `unit(n)` does n units.
template <class Unit = chain, Clock C = steady_clock>
class spin {
public:
    explicit spin(std::size_t tests = 0, Unit unit = {}, C clock = {})
        : tests_{tests}, unit_{std::move(unit)}, clock_{std::move(clock)} {}

    /// Calibrates: takes a millisecond, and three to twelve times the target. Throws std::runtime_error where the clock
    /// sees no time pass.
    void last(seconds target) {
        units_ = 0;
        auto const empty = typical_time(); // what the clock shows where there is no work
        if (!(target > empty)) return;
        auto const step = sonde::timer_of(clock_).quantum;
        units_ = static_cast<std::size_t>((target - empty) / unit_cost(step));
        // The processor may have become slower since: what is too long by more than the clock's step is made shorter.
        for (int round = 0; round != 4; ++round) {
            auto const found = typical_time();
            if (units_ == 0 || !(found > target + step)) return;
            shorten((target - empty) / (found - empty));
        }
    }

    template <class Test>
    void operator()(Test&& test) {
        auto left = units_;
        for (auto parts = tests_; parts != 0; --parts) {
            auto const part = left / parts;
            unit_(part);
            left -= part;
            if (test()) break;
        }
        unit_(left);
    }
    void operator()() { unit_(units_); }

    std::size_t units() const { return units_; }

private:
    template <class F>
    seconds time_of(F f) {
        auto const begin = clock_.now();
        f();
        auto const end = clock_.now();
        return end - begin;
    }

    seconds typical_time() {
        std::vector<seconds> times(3);
        for (auto& t : times) t = time_of([this] { (*this)([] { return false; }); });
        return median(detail::from(times));
    }

    /// Of seven batches.
    seconds best_time(std::size_t units) {
        auto best = time_of([&] { unit_(units); });
        for (int batch = 1; batch != 7; ++batch)
            if (auto const t = time_of([&] { unit_(units); }); t < best) best = t;
        return best;
    }

    /// Not less than a unit takes, or the spin would be too long: what disturbs makes a batch slower, so that the best
    /// one is the nearest from above; a clock that moves in steps may show one step less than has passed.
    seconds unit_cost(seconds step) {
        constexpr seconds moment{50e-6};
        auto const enough = 1000 * step > moment ? 1000 * step : moment;
        for (std::size_t units = 1; units != most_units; units *= 2)
            if (auto const best = best_time(units); !(best < enough)) return (best + step) / static_cast<double>(units);
        throw std::runtime_error{"sonde::spin: the clock sees no time pass while units are done"};
    }

    void shorten(double ratio) {
        auto const fewer = static_cast<std::size_t>(ratio * static_cast<double>(units_));
        units_ = fewer < units_ ? fewer : units_ - 1;
    }

    static constexpr std::size_t most_units = std::size_t{1} << 32;

    std::size_t tests_;
    Unit unit_;
    C clock_;
    std::size_t units_ = 0;
};

} // namespace sonde
