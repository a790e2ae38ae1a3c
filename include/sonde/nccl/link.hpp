// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/nccl/communicator.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::inline v0_1::nccl {

namespace detail {

/// Default action of `polling` between two queries of a stream.
struct no_action {
    void operator()() const {}
};

/// Number of open groups of this thread. An NCCL group belongs to the thread: it takes the calls of all links.
inline constinit thread_local int open_groups = 0;

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_in_group() {
    throw std::logic_error{"sonde::nccl: a wait inside a group of calls: isend and irecv start at wait_all"};
}

/// A group of calls that are one operation (ncclGroupStart, ncclGroupEnd), until `end` or the destructor. During stack
/// unwinding the group is dropped.
class [[nodiscard]] call_group {
public:
    call_group() = default;
    call_group(call_group&& other) noexcept : open_{std::exchange(other.open_, false)} {}
    call_group& operator=(call_group&&) = delete;
    ~call_group() {
        if (!open_) return;
        // Other ranks may never call their side of a broken-off group. NCCL drops a group with an invalid call.
        if (unwinding_.is_unwinding()) ncclSend(nullptr, 0, ncclChar, 0, nullptr, nullptr);
        close();
    }

    /// Start the group unless it is open.
    void start() {
        if (open_) return;
        check(ncclGroupStart(), "ncclGroupStart");
        open_ = true;
        ++open_groups;
    }
    /// End the group if it is open: its calls are enqueued now.
    void end() {
        if (open_) check(close(), "ncclGroupEnd");
    }

private:
    ncclResult_t close() {
        open_ = false;
        --open_groups;
        return ncclGroupEnd();
    }

    bool open_ = false;
    exception_checker unwinding_;
};

} // namespace detail

/// Wait policy: how a rank waits until a stream is complete.
///
///     w(stream, check)   calls check() while it waits. check throws nccl::error if a pending operation has failed,
///                        because the stream would then never complete
///     w(stream)          waits without checks
template <class W>
concept Wait = std::invocable<W&, stream_type, detail::no_action&> || std::invocable<W&, stream_type>;

/// Query the stream (cudaStreamQuery, hipStreamQuery) until the stream is complete. After each query check the
/// communicator, so that a failure is an exception, and call `between()`, in which another library may make progress.
template <std::invocable Between = detail::no_action>
class polling {
public:
    explicit polling(Between between = {}) : between_{std::move(between)} {}
    void operator()(stream_type stream, std::invocable auto&& check) {
        while (!device::is_complete(stream)) {
            check();
            between_();
        }
    }

private:
    Between between_;
};

/// Synchronize the stream (cudaStreamSynchronize, hipStreamSynchronize), which never returns after a failure.
struct stream_synchronize {
    void operator()(stream_type stream) const { device::synchronize(stream); }
};

/// Queue of NCCL operations: a communicator, a stream of its device, and a wait policy.
///
/// Links and collectives hold a copy. A queue refers to the communicator and to the stream, which must outlive it.
///
/// If stack unwinding destroys it while its stream is not complete, it aborts the communicator. Therefore declare the
/// stream and the communicator first, then device memory, then the queue and objects with a copy of it, because freeing
/// device memory waits for pending operations, which may never complete.
template <Wait W = polling<>>
class queue {
public:
    queue(communicator& ranks, stream_type stream, W wait = W{})
        : ranks_{&ranks}, stream_{stream}, wait_{std::move(wait)} {}
    queue(queue const&) = default;
    queue(queue&&) noexcept = default;
    queue& operator=(queue const&) = default;
    queue& operator=(queue&&) noexcept = default;
    ~queue() {
        if (unwinding_.is_unwinding() && !is_known_complete()) ranks_->abort();
    }

    /// The library's communicator.
    ncclComm_t comm() const { return ranks_->get(); }
    /// The stream in which operations are enqueued.
    stream_type stream() const { return stream_; }

    /// True if all enqueued operations are complete.
    bool is_complete() const { return device::is_complete(stream_); }
    /// Wait for all enqueued operations. Throws nccl::error if an operation has failed and the wait policy checks.
    /// Throws std::logic_error between isend or irecv and wait_all of any link of this thread, because nothing is
    /// enqueued yet.
    void wait() {
        if (detail::open_groups != 0) [[unlikely]]
            detail::fail_in_group();
        auto check = [this] { ranks_->check_async_error(); };
        if constexpr (std::invocable<W&, stream_type, decltype(check)&>) wait_(stream_, check);
        else wait_(stream_);
    }

private:
    bool is_known_complete() const try { return is_complete(); } catch (device::error const&) {
        return false;
    }

    communicator* ranks_;
    stream_type stream_;
    W wait_;
    detail::exception_checker unwinding_;
};

/// Address, count and datatype: the first three arguments of ncclSend and ncclRecv.
struct message {
    void* data;          // address
    std::size_t count;   // number of elements
    ncclDataType_t type; // of an element
};

/// Buffer whose regions are messages. The count is computed once, outside the timed loop. Throws std::length_error for
/// a region that is smaller than the elements.
template <Buffer B>
class message_buffer {
public:
    message_buffer(B buffer, elements e) : buffer_{std::move(buffer)}, type_{e.type}, count_{e.count} {
        auto const fit = buffer_.size() / type_size(type_);
        if (count_ == elements::whole_region) count_ = fit;
        if (count_ > fit)
            throw std::length_error{"sonde::nccl: the region is smaller than " + std::to_string(count_) +
                                    " elements of the type"};
    }
    message next() { return {buffer_.next().data(), count_, type_}; }
    /// Bytes of data in a message: less than its region if the elements do not fill it.
    std::size_t size() const { return count_ * type_size(type_); }
    std::size_t regions() const { return sonde::regions(buffer_); }

private:
    B buffer_;
    ncclDataType_t type_;
    std::size_t count_;
};

/// ncclSend and ncclRecv to and from a peer, in stream order: calls return when they are enqueued. Regions may be used
/// again after `complete`, or by later operations of the stream.
///
/// All isend and irecv until `wait_all` are one group of calls, which are pending together. A group belongs to the
/// thread: until its end, calls through other links of the thread join it, and `complete` of any link throws
/// std::logic_error.
template <Wait W = polling<>>
class stream_ordered_link {
public:
    stream_ordered_link(queue<W> queue, int peer, elements datatype = {})
        : queue_{std::move(queue)}, peer_{peer}, elements_{datatype} {}

    auto send_buffer(Buffer auto buffer) const { return message_buffer{std::move(buffer), elements_}; }
    auto recv_buffer(Buffer auto buffer) const { return message_buffer{std::move(buffer), elements_}; }

    void send(message const& m) {
        check(ncclSend(m.data, m.count, m.type, peer_, queue_.comm(), queue_.stream()), "ncclSend");
    }
    void recv(message const& m) {
        check(ncclRecv(m.data, m.count, m.type, peer_, queue_.comm(), queue_.stream()), "ncclRecv");
    }
    void isend(message const& m) {
        group_.start();
        send(m);
    }
    void irecv(message const& m) {
        group_.start();
        recv(m);
    }
    void wait_all() { group_.end(); }
    void complete() { queue_.wait(); }

private:
    queue<W> queue_;
    int peer_;
    elements elements_;
    detail::call_group group_;
};

/// As stream_ordered_link, but each call waits for the stream: regions may be used again when it returns.
template <Wait W = polling<>>
class link : stream_ordered_link<W> {
    using base = stream_ordered_link<W>;

public:
    link(queue<W> queue, int peer, elements datatype = {}) : base{std::move(queue), peer, datatype} {}

    using base::irecv;
    using base::isend;
    using base::recv_buffer;
    using base::send_buffer;

    void send(message const& m) {
        base::send(m);
        base::complete();
    }
    void recv(message const& m) {
        base::recv(m);
        base::complete();
    }
    void wait_all() {
        base::wait_all();
        base::complete();
    }
    void complete() {} // a call leaves nothing pending
};

} // namespace sonde::nccl
