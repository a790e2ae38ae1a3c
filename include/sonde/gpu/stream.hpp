// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/gpu.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::gpu {

namespace detail {

/// True if a query of a stream or an event reports completion. Throws gpu::error for a failure.
template <class R, class... Args>
bool is_complete(function<R, Args...> const& query, auto handle) {
    auto const result = query.address(handle);
    if (result != R::not_ready) check<R>(result, query.name);
    // The runtime stores even "not ready" as its last error, which is cleared here; any other stored error stays.
    else if (R::peek_at_last_error() == R::not_ready) static_cast<void>(R::last_error());
    return result == R::success;
}

template <class Handle, auto destroy>
using owner = std::unique_ptr<std::remove_pointer_t<Handle>, std::integral_constant<decltype(destroy), destroy>>;

} // namespace detail

/// Owner of a non-blocking stream of the current device. The stream and the default stream do not wait for each other.
template <class R>
class [[nodiscard]] stream {
    using handle = typename R::stream_type;

public:
    stream() : made_{value_of(R::create_stream, R::stream_flags)} {}

    /// The runtime's stream.
    operator handle() const& { return made_.get(); }
    operator handle() const&& = delete; // a temporary destroys the stream at once
    /// Waits for all work in the stream.
    void synchronize() const { R::synchronize_stream(made_.get()); }
    /// True if all work in the stream is complete.
    bool query() const { return detail::is_complete(R::query_stream, made_.get()); }

private:
    detail::owner<handle, R::destroy_stream.address> made_;
};

/// Owner of an event, which may be recorded repeatedly.
template <class R>
class [[nodiscard]] event {
    using handle = typename R::event_type;

public:
    event() : made_{value_of(R::create_event, R::event_flags)} {}

    /// The runtime's event.
    operator handle() const& { return made_.get(); }
    operator handle() const&& = delete; // a temporary destroys the event at once
    /// Record the completion of all work that is in the stream now.
    void record(typename R::stream_type stream) const { R::record_event(made_.get(), stream); }
    /// Waits for all recorded work.
    void synchronize() const { R::synchronize_event(made_.get()); }
    /// True if all recorded work is complete.
    bool query() const { return detail::is_complete(R::query_event, made_.get()); }

private:
    detail::owner<handle, R::destroy_event.address> made_;
};

/// Time between two events; waits for both. Runtimes report it in milliseconds as a float, with a resolution of about
/// 0.5 us and a relative error of up to 6e-8.
template <class R>
[[nodiscard]] seconds elapsed(event<R> const& begin, event<R> const& end) {
    begin.synchronize(); // in another stream, it may complete after `end`
    end.synchronize();
    return seconds{static_cast<double>(value_of(R::elapsed_time, begin, end)) / 1e3};
}

/// A reading of `event_clock`. The difference of two readings waits for both events, see `elapsed`, and throws
/// std::logic_error for a default-constructed reading.
template <class R>
class time_point {
public:
    time_point() = default;
    explicit time_point(std::shared_ptr<event<R> const> at) : at_{std::move(at)} {}
    friend seconds operator-(time_point const& end, time_point const& begin) {
        if (end.at_ == nullptr || begin.at_ == nullptr)
            throw std::logic_error{std::string{R::scope} + "::time_point: is not a reading of a clock"};
        return elapsed(*begin.at_, *end.at_);
    }

private:
    std::shared_ptr<event<R> const> at_;
};

/// Clock of a stream: the difference of two readings is the time that the stream took for the work between them,
/// whatever the host does meanwhile. Its resolution is about 0.5 us.
///
/// For patterns that put work into the stream and return. A reading records an event and does not wait; the difference
/// of two readings waits. The difference includes the time in which the stream is idle and waits for more work.
/// Therefore the clock shows the launch rate of the host for one short iteration, and the speed of the stream for a
/// batch. Copies share the events. Only one thread at a time may use the clock.
template <class R>
class event_clock {
public:
    /// For a stream of the current device.
    explicit event_clock(typename R::stream_type stream) : stream_{stream}, shared_{std::make_shared<shared>()} {
        while (shared_->events.size() != 8) shared_->events.push_back(std::make_shared<event<R> const>());
    }

    time_point<R> now() const {
        auto& [events, at, measured] = *shared_;
        std::size_t tried = 0;
        do at = at + 1 == events.size() ? 0 : at + 1;
        while (events[at].use_count() != 1 && ++tried != events.size());
        if (tried == events.size())
            events.insert(events.begin() + static_cast<std::ptrdiff_t>(at), std::make_shared<event<R> const>());
        events[at]->record(stream_);
        return time_point<R>{events[at]};
    }
    /// Measured once for all copies, from fewer readings than for other clocks, because each difference waits for the
    /// device.
    sonde::clock_properties properties() const {
        if (!shared_->measured) {
            auto const differences = sonde::detail::read_differences(*this, 300);
            shared_->measured = {sonde::detail::read_cost(*this, 3, 100), sonde::detail::resolution_of(differences),
                                 differences[differences.size() / 2]};
        }
        return *shared_->measured;
    }

private:
    /// An event is recorded again as soon as no reading refers to it. A new event is created only if all events are in
    /// use. A sample needs two events, and the elapsed time of the run a third.
    struct shared {
        std::vector<std::shared_ptr<event<R> const>> events;
        std::size_t at = 0; // of the last reading
        std::optional<sonde::clock_properties> measured;
    };

    typename R::stream_type stream_;
    std::shared_ptr<shared> shared_;
};

/// Adaptor that records an event after each iteration, so that each iteration of a batch has a time. The largest time
/// over the ranks (`slowest`) is what nccl-tests report with `-I 1`.
///
/// An iteration lasts from the end of the previous one in its batch. The first iteration of a batch, and an iteration
/// outside of a batch, lasts from an event that is recorded just before it. The constructor creates all events. The
/// warm-up is left out.
template <class R, Pattern P>
class iteration_events : public pattern_adaptor<iteration_events<R, P>, P> {
public:
    /// Keeps the times of the latest `count` iterations. The pattern puts its work into `stream`. Throws
    /// std::invalid_argument for a count of 0.
    iteration_events(std::size_t count, typename R::stream_type stream, P&& pattern)
        : iteration_events::pattern_adaptor{std::forward<P>(pattern)}, stream_{stream}, begins_(count + 1),
          ends_(count + 1), starts_batch_(count + 1) {
        if (count == 0)
            throw std::invalid_argument{std::string{R::scope} + "::iteration_events: needs an iteration to keep"};
    }

    void operator()() {
        begin();
        iterate(this->pattern_);
    }
    template <class F>
    void in_role(F f) {
        iteration_events::pattern_adaptor::in_role([this, &f](auto&& iteration) {
            begin();
            f(iteration);
        });
    }
    void iterate(auto& inner) {
        inner();
        ends_[slot(done_)].record(stream_);
        starts_batch_[slot(++done_)] = false;
    }
    void after_warmup() {
        done_ = 0;
        sonde::after_warmup(this->pattern_);
    }

    /// Times of the latest iterations since the warm-up, in order; waits for the last one.
    std::vector<seconds> times() const {
        auto const kept = ends_.size() - 1;
        std::vector<seconds> all;
        for (auto i = done_ > kept ? done_ - kept : 0; i != done_; ++i) {
            auto const& begin = starts_batch_[slot(i)] ? begins_[slot(i)] : ends_[slot(i - 1)];
            all.push_back(elapsed(begin, ends_[slot(i)]));
        }
        return all;
    }
    /// For each iteration, the time of the slowest rank. Collective over the group. All ranks must have made the same
    /// number of iterations, except idle ranks, which made no iteration.
    template <Group G>
    std::vector<seconds> slowest(G& group) const {
        std::vector<double> counts;
        for (auto const t : times()) counts.push_back(t.count());
        auto length = static_cast<double>(counts.size());
        group.all_reduce(std::span<double>{&length, 1}, reduction::max);
        counts.resize(static_cast<std::size_t>(length)); // 0 is less than the time of any other rank
        group.all_reduce(std::span<double>{counts.data(), counts.size()}, reduction::max);
        return {counts.begin(), counts.end()};
    }

private:
    std::size_t slot(std::size_t i) const { return i % ends_.size(); }
    void begin() {
        begins_[slot(done_)].record(stream_);
        starts_batch_[slot(done_)] = true;
    }

    typename R::stream_type stream_;
    std::vector<event<R>> begins_; // one slot more than is kept: the first kept iteration needs the end of the previous
    std::vector<event<R>> ends_;
    std::vector<bool> starts_batch_;
    std::size_t done_ = 0;
};

} // namespace sonde::gpu
