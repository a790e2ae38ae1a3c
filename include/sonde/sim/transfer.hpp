// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/manual_clock.hpp>
#include <sonde/sim/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sonde::sim {

/// What moves an operation on from stage to stage: itself, as hardware does; any call, as a library does that has no
/// thread of its own; only the wait for its end.
enum class progress : unsigned char { offloaded, in_calls, in_wait };

/// Stages follow one another and need no processor; post and test are processor time of `start` and of each `test`.
struct course {
    progress moved_on = progress::offloaded;
    std::size_t stages = 1;
    picoseconds stage{};
    picoseconds post{};
    picoseconds test{};
};

/// One rank's operation whose beginning and end are apart, in virtual time; ranks do not wait for each other.
class transfer {
public:
    transfer(process& self, course c) : self_{&self}, course_{c} {}

    void start() {
        self_->work(course_.post);
        to_begin_ = course_.stages;
        end_ = self_->now();
        if (course_.moved_on == progress::offloaded) begin(to_begin_);
        if (course_.moved_on == progress::in_calls) begin(1);
    }
    bool test() {
        self_->work(course_.test);
        if (course_.moved_on == progress::in_calls && self_->now() >= end_) begin(1);
        return to_begin_ == 0 && self_->now() >= end_;
    }
    void finish() {
        self_->wait_until(end_);
        begin(to_begin_);
        self_->wait_until(end_);
    }
    void operator()() {
        start();
        finish();
    }

private:
    void begin(std::size_t stages) {
        auto const begun = std::min(stages, to_begin_);
        to_begin_ -= begun;
        end_ = std::max(end_, self_->now()) + static_cast<std::int64_t>(begun) * course_.stage;
    }

    process* self_;
    course course_;
    std::size_t to_begin_ = 0;
    picoseconds end_{}; // of the stages that were begun
};

} // namespace sonde::sim
