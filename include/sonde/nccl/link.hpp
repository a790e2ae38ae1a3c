// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/queue.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::nccl {

/// Address, count and datatype: the first three arguments of ncclSend and ncclRecv.
struct message {
    void* data;
    std::size_t count;
    ncclDataType_t type;
};

/// Buffer whose regions are messages. The count is computed once, outside the timed loop. Throws std::length_error for
/// a region that is smaller than the elements.
template <Buffer B>
class messages {
public:
    messages(B buffer, elements e) : buffer_{std::move(buffer)}, type_{e.type}, count_{e.count} {
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

    auto send_buffer(Buffer auto buffer) const { return messages{std::move(buffer), elements_}; }
    auto recv_buffer(Buffer auto buffer) const { return messages{std::move(buffer), elements_}; }

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
