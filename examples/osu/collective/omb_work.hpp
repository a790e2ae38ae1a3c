// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/mpi/group.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <variant>

namespace osu {

/// OMB's dummy_compute: passes over a matrix of 25 x 25 floats, each of them timed, until their times add up to the
/// duration, or the clock shows no time for a second. With tests it consists of one part for each test and calls the
/// test after the part, also if the communication is complete.
template <sonde::Clock C = sonde::mpi::wtime>
class omb_work {
public:
    explicit omb_work(std::size_t tests, C clock = {}) : tests_{tests}, clock_{clock} {
        for (auto& row : a_) row.fill(2);
        x_.fill(1);
        y_.fill(1);
    }

    void set_duration(sonde::seconds target) { target_ = target; }

    template <class Test>
    void operator()(Test&& test) {
        if (tests_ == 0) compute(target_);
        for (std::size_t i = 0; i != tests_; ++i) {
            compute(target_ / static_cast<double>(tests_));
            test();
        }
    }

private:
    void compute(sonde::seconds target) {
        escaped_ = this;          // so that a compiler must assume that the results are read, and removes no pass
        std::size_t timeless = 0; // passes since one that took time, by a clock that may step back or stand still
        for (sonde::seconds spent{0}; spent < target && timeless != most_timeless; ++timeless) {
            auto const begin = clock_.now();
            pass();
            sonde::seconds const took = clock_.now() - begin;
            if (!(took > sonde::seconds{0})) continue;
            spent += took;
            timeless = 0;
        }
    }
    void pass() {
        for (std::size_t i = 0; i != a_.size(); ++i)
            for (std::size_t j = 0; j != a_.size(); ++j) x_[i] = x_[i] + a_[i][j] * a_[j][i] + y_[j];
    }

    static constexpr std::size_t most_timeless = std::size_t{1} << 17; // 60 ms of passes, more than a tick of any clock

    std::size_t tests_;
    C clock_;
    sonde::seconds target_{0};
    std::array<std::array<float, 25>, 25> a_{};
    std::array<float, 25> x_{};
    std::array<float, 25> y_{};
    omb_work* volatile escaped_ = nullptr;
};

/// Type-erased work of a device, with work of the host beside it: a sonde::Work.
class device_work {
public:
    /// `W`: a sonde::Work with `set_duration`.
    template <class W>
    explicit device_work(std::shared_ptr<W> work)
        : set_duration_{[=](sonde::seconds target) { work->set_duration(target); }},
          perform_{[=](std::function<bool()> const& test) { (*work)(test); }} {}

    void set_duration(sonde::seconds target) { set_duration_(target); }
    void operator()(std::function<bool()> const& test) { perform_(test); }

private:
    std::function<void(sonde::seconds)> set_duration_;
    std::function<void(std::function<bool()> const&)> perform_;
};

/// True if this build has kernels of CUDA or ROCm. `kernel_beside` throws std::logic_error without them.
bool has_kernels();

/// A kernel that spins for the duration, and on the host tests only, OMB's work, or calibrated work.
device_work kernel_beside(std::size_t tests);
device_work kernel_beside(omb_work<> host);
device_work kernel_beside(sonde::calibrated_work<> host);

/// The work of `-r` and `-t`: a sonde::Work of one type, so that collectives are compiled once for all kinds of work.
/// It does not know the type of the test, so that it runs the same machine code alone and beside each communication.
class chosen_work {
public:
    /// OMB's work. Its clock readings and its overshoot are part of it.
    static chosen_work of_omb(work_place where, std::size_t tests) {
        if (where == work_place::cpu) return {omb_work{tests}, "matrix"};
        if (where == work_place::gpu) return {kernel_beside(tests), "kernel"};
        return {kernel_beside(omb_work{tests}), "kernel and matrix"};
    }
    /// Work without clock readings and overshoot.
    static chosen_work calibrated(work_place where, std::size_t tests) {
        if (where == work_place::cpu) return {sonde::calibrated_work{tests}, "spin"};
        if (where == work_place::gpu) return {kernel_beside(tests), "median kernel"};
        return {kernel_beside(sonde::calibrated_work{tests}), "kernel and spin"};
    }

    /// Value of the parameter "work" of records.
    char const* name() const { return name_; }

    void set_duration(sonde::seconds target) {
        std::visit([&](auto& w) { w.set_duration(target); }, work_);
    }
    /// A visit of few alternatives is inlined comparisons, whose outcome never changes, not a call through a table.
    [[gnu::noinline]] void operator()(std::function<bool()> const& test) {
        std::visit([&](auto& w) { w(test); }, work_);
    }

private:
    using any_work = std::variant<omb_work<>, sonde::calibrated_work<>, device_work>;
    chosen_work(any_work work, char const* name) : work_{std::move(work)}, name_{name} {}

    any_work work_;
    char const* name_;
};

} // namespace osu
