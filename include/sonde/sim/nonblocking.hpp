// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim.hpp>
#include <sonde/sim/clock.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sonde::sim {

/// Who makes progress, that is, begins the next stage of an operation: the hardware, with no call (offloaded); every
/// call, as in a library without a progress thread; or only the wait.
enum class progress_mode : unsigned char { offloaded, in_calls, in_wait };

/// The time course of an operation: consecutive stages, which need no processor, and the processor time of `start` and
/// of each `test`.
struct operation_profile {
    progress_mode progress = progress_mode::offloaded;
    std::size_t stages = 1;
    picoseconds stage_time{};
    picoseconds start_time{};
    picoseconds test_time{};
};

/// A NonblockingOperation of one rank in virtual time. Ranks do not wait for each other.
class nonblocking_operation {
public:
    nonblocking_operation(process& self, operation_profile p) : self_{&self}, profile_{p} {}

    void start() {
        self_->work(profile_.start_time);
        stages_left_ = profile_.stages;
        end_ = self_->now();
        if (profile_.progress == progress_mode::offloaded) begin(stages_left_);
        if (profile_.progress == progress_mode::in_calls) begin(1);
    }
    bool test() {
        self_->work(profile_.test_time);
        if (profile_.progress == progress_mode::in_calls && self_->now() >= end_) begin(1);
        return stages_left_ == 0 && self_->now() >= end_;
    }
    void wait() {
        self_->wait_until(end_);
        begin(stages_left_);
        self_->wait_until(end_);
    }
    void operator()() {
        start();
        wait();
    }

private:
    void begin(std::size_t stages) {
        auto const begun = std::min(stages, stages_left_);
        stages_left_ -= begun;
        end_ = std::max(end_, self_->now()) + static_cast<std::int64_t>(begun) * profile_.stage_time;
    }

    process* self_;
    operation_profile profile_;
    std::size_t stages_left_ = 0; // that have not begun
    picoseconds end_{};           // of the stages that have begun
};

} // namespace sonde::sim
