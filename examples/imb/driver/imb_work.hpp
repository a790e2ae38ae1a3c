// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/setting.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace imb {

/// Unit of IMB's work: x = x + A y with a matrix of 10 x 10, 200 flop.
class matrix_vector {
public:
    static constexpr double flop = 200;

    matrix_vector() {
        for (auto& row : a_) row.fill(1);
    }
    void operator()(std::size_t units) {
        escaped_ = this; // so that a compiler must assume that the arrays are read and written elsewhere
        for (; units != 0; --units) {
            std::atomic_signal_fence(std::memory_order_seq_cst);
            multiply();
        }
    }

private:
    void multiply() {
        for (std::size_t i = 0; i != a_.size(); ++i)
            for (std::size_t j = 0; j != a_.size(); ++j) x_[i] += a_[i][j] * y_[j];
    }

    std::array<std::array<float, 10>, 10> a_{};
    std::array<float, 10> x_{};
    std::array<float, 10> y_{};
    matrix_vector* volatile escaped_ = nullptr;
};

template <class F, sonde::Clock C>
sonde::seconds time_of(F&& f, C& clock) {
    auto const begin = clock.now();
    f();
    auto const end = clock.now();
    return end - begin;
}

/// Units per second without disturbances: the fastest of seven batches. A batch lasts a millisecond, or has as many
/// units as IMB's single batch. 0 with a clock that shows no time.
template <class Unit, sonde::Clock C>
double rate_of(Unit unit, C clock) {
    constexpr std::size_t most = 250'001;
    constexpr sonde::seconds enough{1e-3};
    std::size_t n = 64;
    auto const batch = [&] { return time_of([&] { unit(n); }, clock); };
    auto const is_short = [&](sonde::seconds t) { return t < enough && n != most; };
    auto const shortest = [&] {
        auto best = batch();
        for (int i = 1; i != 7 && !is_short(best); ++i)
            if (auto const t = batch(); sonde::detail::is_shorter(t, best)) best = t;
        return best;
    };
    auto best = shortest();
    for (; is_short(best); best = shortest()) n = std::min(2 * n, most);
    return best > sonde::seconds{0} ? static_cast<double>(n) / best.count() : 0; // 0: the clock shows no time
}

/// Rate of `matrix_vector` in this process. The first call measures it, which takes about ten milliseconds.
double matrix_vector_rate();

/// Rate of the work in 10^6 flop per second, as the header of benchmarks with overlap shows it.
double mflops();

/// IMB's CPU_Exploit: work beside a communication, without MPI calls. It consists of whole units, at least one. The
/// rate is measured once, not for each duration, so that a long duration costs no more time than it lasts.
template <class Unit = matrix_vector>
class imb_work {
public:
    explicit imb_work(double rate = matrix_vector_rate(), Unit unit = {}) : rate_{rate}, unit_{unit} {}

    /// No units for a duration that is not positive.
    void set_duration(sonde::seconds target) {
        constexpr sonde::seconds none{0};
        units_ = target > none ? std::max<std::size_t>(1, static_cast<std::size_t>(target.count() * rate_)) : 0;
    }
    void operator()() { unit_(units_); }
    std::size_t units() const { return units_; }

private:
    double rate_;
    Unit unit_;
    std::size_t units_ = 0;
};

/// Record of the work inside the runs of `both`; `mine`: mean time of this rank's work. Collective over the setting's
/// group.
sonde::record work_record(setting& s, sonde::record const& both, sonde::seconds mine);

} // namespace imb
