// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "p2p_links.hpp"

#include <sonde/buffer.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <utility>

namespace imb {

using buffer = sonde::rotating;
using messages = sonde::mpi::messages<buffer>;

/// Both: a send begins, receive, wait for the send. Each answers for what it sends.
class ping_ping {
public:
    ping_ping(sourced_link link, buffer out, buffer in)
        : link_{link}, out_{link.send_buffer(out)}, in_{link.recv_buffer(in)} {}
    void operator()() {
        link_.isend(out_.next());
        link_.recv(in_.next());
        link_.wait();
    }
    sonde::traffic moves() const { return {out_.size(), 1, 1}; }

private:
    sourced_link link_;
    messages out_;
    messages in_;
};

/// To the right and from the left in one call. Each answers for what it sends.
class sendrecv {
public:
    sendrecv(chain_link link, buffer out, buffer in)
        : link_{std::move(link)}, out_{link_.send_buffer(out)}, in_{link_.recv_buffer(in)} {}
    void operator()() { link_.sendrecv(out_.next(), in_.next()); }
    sonde::traffic moves() const { return {out_.size(), 1, 1}; }

private:
    chain_link link_;
    messages out_;
    messages in_;
};

/// Two buffers, one for each neighbour.
struct sides {
    buffer left;
    buffer right;
};

/// Sends to the right and to the left begin, receive from the left, from the right, wait for the sends. Each answers
/// for what it sends.
class exchange {
public:
    exchange(chain_link link, sides out, sides in)
        : link_{std::move(link)}, to_left_{link_.send_buffer(out.left)}, to_right_{link_.send_buffer(out.right)},
          from_left_{link_.recv_buffer(in.left)}, from_right_{link_.recv_buffer(in.right)} {}
    void operator()() {
        link_.isend(link_.right(), to_right_.next());
        link_.isend(link_.left(), to_left_.next());
        link_.recv(link_.left(), from_left_.next());
        link_.recv(link_.right(), from_right_.next());
        link_.wait_all();
    }
    sonde::traffic moves() const { return {2 * to_right_.size(), 2, 1}; }

private:
    chain_link link_;
    messages to_left_;
    messages to_right_;
    messages from_left_;
    messages from_right_;
};

/// A pattern of pairs, and a byte from the responder of the pair to the initiator after it. The times of both count.
template <sonde::Pattern P>
class acknowledged : public sonde::pattern_adaptor<acknowledged<P>, P> {
public:
    acknowledged(P pattern, sonde::mpi::link back, sonde::role who, sonde::slice token)
        : acknowledged::pattern_adaptor{std::move(pattern)}, back_{back}, who_{who}, token_{back.send_buffer(token)} {}
    void iterate(auto& pattern) {
        pattern();
        if (who_ == sonde::role::responder) back_.send(token_.next());
        else back_.recv(token_.next());
    }
    sonde::role plays() const { return sonde::role::initiator; }

private:
    sonde::mpi::link back_;
    sonde::role who_;
    sonde::mpi::messages<sonde::slice> token_;
};

} // namespace imb
