// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/gpu/device.hpp>
#include <sonde/time.hpp>

#include <memory>
#include <type_traits>

namespace sonde::gpu {

namespace detail {

/// True if the result of a query, of a stream or an event, is completion. Throws gpu::error for a failure.
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

/// True if all work in a stream is complete. Throws gpu::error for a failure.
template <class R>
[[nodiscard]] bool is_complete(typename R::stream_type stream) {
    return detail::is_complete(R::query_stream, stream);
}

/// Owner of a non-blocking stream of the current device: it and the default stream do not wait for each other.
template <class R>
class [[nodiscard]] stream {
    using handle = typename R::stream_type;

public:
    stream() : made_{value_of(R::create_stream, R::stream_flags)} {}

    operator handle() const& { return made_.get(); }
    operator handle() const&& = delete; // a temporary destroys the stream at once
    void synchronize() const { R::synchronize_stream(made_.get()); }
    /// True if all work in the stream is complete.
    bool query() const { return is_complete<R>(made_.get()); }

private:
    detail::owner<handle, R::destroy_stream.address> made_;
};

/// Owner of an event, which may be recorded repeatedly.
template <class R>
class [[nodiscard]] event {
    using handle = typename R::event_type;

public:
    event() : made_{value_of(R::create_event, R::event_flags)} {}

    operator handle() const& { return made_.get(); }
    operator handle() const&& = delete; // a temporary destroys the event at once
    /// Record the completion of all work that is in the stream now.
    void record(typename R::stream_type stream) const { R::record_event(made_.get(), stream); }
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

} // namespace sonde::gpu
