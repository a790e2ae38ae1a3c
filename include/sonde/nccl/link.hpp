// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/nccl/error.hpp>
#include <sonde/nccl/grouped.hpp>
#include <sonde/nccl/message.hpp>
#include <sonde/nccl/queue.hpp>

#include <nccl.h>

#include <utility>

namespace sonde::nccl {

/// ncclSend and ncclRecv to and from a peer, in the order of the stream: calls return when they are enqueued, and
/// regions may be used again after `complete`, or by what is enqueued behind.
///
/// Every isend and irecv until `wait_all` is one group: all of them are under way together. A group is the thread's:
/// until then whatever it sends or receives through any link is put off, too, and `complete` of any is refused.
template <Wait W = polling<>>
class enqueued_link {
public:
    enqueued_link(queue<W> on, int peer, elements as = {}) : on_{std::move(on)}, peer_{peer}, elements_{as} {}

    template <Buffer B>
    messages<B> outgoing(B buffer) const {
        return {std::move(buffer), elements_};
    }
    template <Buffer B>
    messages<B> incoming(B buffer) const {
        return {std::move(buffer), elements_};
    }

    void send(message const& m) {
        check(ncclSend(m.data, m.count, m.type, peer_, on_.comm(), on_.stream()), "ncclSend");
    }
    void recv(message const& m) {
        check(ncclRecv(m.data, m.count, m.type, peer_, on_.comm(), on_.stream()), "ncclRecv");
    }
    void isend(message const& m) {
        window_.open();
        send(m);
    }
    void irecv(message const& m) {
        window_.open();
        recv(m);
    }
    void wait_all() { window_.close(); }
    void complete() { on_.wait(); }

private:
    queue<W> on_;
    int peer_;
    elements elements_;
    detail::call_group window_;
};

/// The same, where each call waits for the stream: regions may be used again when it returns.
template <Wait W = polling<>>
class link : enqueued_link<W> {
    using enqueued = enqueued_link<W>;

public:
    link(queue<W> on, int peer, elements as = {}) : enqueued{std::move(on), peer, as} {}

    using enqueued::incoming;
    using enqueued::irecv;
    using enqueued::isend;
    using enqueued::outgoing;

    void send(message const& m) {
        enqueued::send(m);
        enqueued::complete();
    }
    void recv(message const& m) {
        enqueued::recv(m);
        enqueued::complete();
    }
    void wait_all() {
        enqueued::wait_all();
        enqueued::complete();
    }
};

} // namespace sonde::nccl
