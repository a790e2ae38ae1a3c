// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/event.hpp>
#include <sonde/time.hpp>
#include <sonde/timer.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::cuda {

/// An instant of a stream as its clock shows it. The difference of two waits for both: see `between`. Throws
/// std::logic_error where one is no instant of any stream.
class mark {
public:
    mark() = default;
    explicit mark(std::shared_ptr<event const> at) : at_{std::move(at)} {}
    friend seconds operator-(mark const& end, mark const& begin) { return between(begin.get(), end.get()); }

private:
    event const& get() const {
        if (at_ == nullptr) throw std::logic_error{"sonde::cuda::mark: was never read from a clock"};
        return *at_;
    }

    std::shared_ptr<event const> at_;
};

/// Events that are recorded again as soon as nobody holds them: none is created unless more are held than ever before.
class event_pool {
public:
    explicit event_pool(std::size_t n) {
        while (events_.size() != n) add();
    }
    std::shared_ptr<event const> const& take() {
        for (std::size_t tried = 0; tried != events_.size(); ++tried) {
            next_ = next_ + 1 == events_.size() ? 0 : next_ + 1;
            if (events_[next_].use_count() == 1) return events_[next_];
        }
        add();
        return events_.back();
    }

private:
    void add() { events_.push_back(std::make_shared<event const>()); }

    std::vector<std::shared_ptr<event const>> events_;
    std::size_t next_ = 0;
};

/// The time of a stream: between two readings passes what the stream needed for what was put into it between, whatever
/// the host does meanwhile. A step of it is about 0.5 us.
///
/// For patterns that put work into the stream and return. A reading puts an event there and does not wait; the
/// difference of two does. Where the stream runs empty, the time until it gets more is in there, too: of one short
/// iteration the clock shows how fast the host can launch, of a batch what the stream can do. Copies share the events.
/// One thread at a time.
class event_clock {
public:
    /// A stream of the current device.
    explicit event_clock(cudaStream_t of) : stream_{of}, shared_{std::make_shared<shared>()} {}

    mark now() const {
        auto const& at = shared_->events.take();
        mark read{at};
        at->record(stream_);
        return read;
    }
    /// Of 300 differences and 3 times 100 readings: each waits for the device, so that more would take long. Measured
    /// once for all copies.
    sonde::timer timer() const {
        if (!shared_->measured) shared_->measured = measure();
        return *shared_->measured;
    }

private:
    struct shared {
        event_pool events{8}; // a sample holds two, what runs for long a third
        std::optional<sonde::timer> measured;
    };

    sonde::timer measure() const {
        auto const differences = sonde::detail::read_differences(*this, 300);
        return {read_cost(), sonde::detail::quantum_of(differences), differences[differences.size() / 2]};
    }
    seconds read_cost() const {
        seconds best{};
        for (int batch = 0; batch != 3; ++batch) {
            auto const begin = now();
            for (int i = 0; i != 99; ++i) static_cast<void>(now());
            auto const cost = (now() - begin) / 100;
            if (batch == 0 || cost < best) best = cost;
        }
        return best;
    }

    cudaStream_t stream_;
    std::shared_ptr<shared> shared_;
};

} // namespace sonde::cuda
