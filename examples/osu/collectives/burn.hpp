// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/sync.hpp>
#include <sonde/time.hpp>

#include <array>
#include <cstddef>

namespace osu {

/// OMB's work beside a communication: passes over a matrix of 25 x 25 floats, each timed, until they have taken as long
/// as told; or in as many parts as there are tests, a test after each, also when it is all over.
template <sonde::Clock C = sonde::mpi::wtime>
class burn {
public:
    explicit burn(std::size_t tests, C clock = {}) : tests_{tests}, clock_{clock} {
        for (auto& row : a_) row.fill(2);
        x_.fill(1);
        y_.fill(1);
    }

    void set_duration(sonde::seconds target) { target_ = target; }

    template <class Test>
    void operator()(Test&& test) {
        if (tests_ == 0) work(target_);
        for (std::size_t i = 0; i != tests_; ++i) {
            work(target_ / static_cast<double>(tests_));
            test();
        }
    }

private:
    void work(sonde::seconds target) {
        seen_ = this; // for all that a compiler knows somebody reads what is computed: no pass can be left out
        for (sonde::seconds spent{0}; spent < target;) {
            auto const begin = clock_.now();
            pass();
            spent += clock_.now() - begin;
        }
    }
    void pass() {
        for (std::size_t i = 0; i != a_.size(); ++i)
            for (std::size_t j = 0; j != a_.size(); ++j) x_[i] = x_[i] + a_[i][j] * a_[j][i] + y_[j];
    }

    std::size_t tests_;
    C clock_;
    sonde::seconds target_{0};
    std::array<std::array<float, 25>, 25> a_{};
    std::array<float, 25> x_{};
    std::array<float, 25> y_{};
    burn* volatile seen_ = nullptr;
};

} // namespace osu
