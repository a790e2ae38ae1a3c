// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/nccl/kind.hpp>
#include <sonde/nccl/queue.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::nccl {

/// A call of a collective an iteration, in the order of the stream, which `complete` waits for:
/// `enqueued{allreduce{world, {ncclFloat, n}, ncclSum}, queue{world, stream}, out, in}`.
///
/// `out` is sent from, `in` received into; operations in place have one buffer. Throws std::length_error for a region
/// that is smaller than what the operation sends or receives on this rank.
template <Collective K, Wait W = polling<>, Buffer Out = opaque_slice, Buffer In = opaque_slice>
class enqueued {
public:
    enqueued(K kind, queue<W> on, Out out, In in)
        : kind_{std::move(kind)}, on_{std::move(on)}, out_{std::move(out)}, in_{std::move(in)} {
        require(kind_.sends(), out_.size(), "sends from");
        require(kind_.receives(), in_.size(), "receives into");
    }
    enqueued(K kind, queue<W> on, In both) : enqueued{std::move(kind), std::move(on), Out{}, std::move(both)} {}

    void operator()() { kind_.enqueue({out_.next().data(), in_.next().data()}, on_.comm(), on_.stream()); }
    void complete() { on_.wait(); }
    traffic moves() const { return kind_.moves(); }

protected:
    bool is_over() const { return on_.is_over(); }

private:
    static void require(std::size_t needed, std::size_t there, char const* what) {
        if (there < needed)
            throw std::length_error{std::string{"sonde::nccl: "} + K::called + " " + what + " " +
                                    std::to_string(needed) + " bytes, the region has " + std::to_string(there)};
    }

    K kind_;
    queue<W> on_;
    Out out_;
    In in_;
};
template <class K, class W, class B>
enqueued(K, queue<W>, B) -> enqueued<K, W, opaque_slice, B>;

/// The same, and a wait for it in each iteration.
///
/// `start` enqueues the operation, `test` says whether the stream is through, `finish` waits; an iteration is `start`
/// and `finish`. One operation is under way at a time.
template <Collective K, Wait W = polling<>, Buffer Out = opaque_slice, Buffer In = opaque_slice>
class waited : enqueued<K, W, Out, In> {
    using base = enqueued<K, W, Out, In>;

public:
    waited(K kind, queue<W> on, Out out, In in) : base{std::move(kind), std::move(on), std::move(out), std::move(in)} {}
    waited(K kind, queue<W> on, In both) : base{std::move(kind), std::move(on), std::move(both)} {}

    void start() { base::operator()(); }
    bool test() { return base::is_over(); }
    void finish() { base::complete(); }
    void operator()() {
        start();
        finish();
    }
    using base::moves;
};
template <class K, class W, class B>
waited(K, queue<W>, B) -> waited<K, W, opaque_slice, B>;

} // namespace sonde::nccl
