// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/collective.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/queue.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace sonde::nccl {

using sonde::detail::buffers;
inline constexpr auto in_place = buffers::in_place;

/// The arguments of a call that change from iteration to iteration.
struct call_arguments {
    std::byte* sendbuf;
    std::byte* recvbuf;
};

/// One collective operation as this rank calls it, without buffers: a value.
///
///     op.send_bytes()                      minimum size of this rank's send buffer; 0 if it is not used
///     op.recv_bytes()                      the same of its receive buffer
///     op.traffic() -> traffic                bytes of the operation, shared by its ranks; bus-bandwidth factor
///     op.enqueue(arguments, comm, stream)  the call, or calls, of NCCL
///     Op::name                             its name
template <class Op>
concept CollectiveOperation = requires(Op const& op, call_arguments a, ncclComm_t comm, stream_type stream) {
    { Op::name } -> std::convertible_to<char const*>;
    { op.send_bytes() } -> std::convertible_to<std::size_t>;
    { op.recv_bytes() } -> std::convertible_to<std::size_t>;
    { op.traffic() } -> std::convertible_to<traffic>;
    op.enqueue(a, comm, stream);
};

namespace detail {

/// Base class of operations: this rank in its group, the block of each rank, and the reduction and the root of
/// operations that have them.
class operation_base : protected sonde::detail::collective_base {
protected:
    operation_base(auto const& ranks, block each, buffers used, int root = 0, ncclRedOp_t op = ncclSum)
        : collective_base{ranks, used}, block_{each}, bytes_{each.bytes()}, op_{op},
          root_{sonde::detail::require_root("sonde::nccl", root, size_)} {}

    std::byte* sendbuf(call_arguments a) const { return in_place_ ? a.recvbuf : a.sendbuf; }

    block block_;
    std::size_t bytes_; // of the block
    ncclRedOp_t op_;
    int root_;
};

} // namespace detail

// Operations. Traffic and bus-bandwidth factors are those of nccl-tests: see docs/gpu.md. `ranks` is a communicator, or
// a group with the same ranks. Constructors with a root throw std::invalid_argument if it is not a rank.

/// ncclAllGather: every rank receives the block of every rank; in place, its own block is in the receive buffer
/// already.
struct allgather : private detail::operation_base {
    static constexpr auto name = "ncclAllGather";

    allgather(auto const& ranks, block each, buffers used = buffers::out_of_place)
        : operation_base{ranks, each, used} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : bytes_; }
    std::size_t recv_bytes() const { return ranks() * bytes_; }
    sonde::traffic traffic() const { return share(recv_bytes(), remote_fraction()); }
    void enqueue(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const* const own = in_place_ ? a.recvbuf + self() * bytes_ : a.sendbuf;
        check(ncclAllGather(own, a.recvbuf, block_.count, block_.type, comm, stream), name);
    }
};

/// ncclAllReduce: every rank receives the reduction over all ranks.
struct allreduce : private detail::operation_base {
    static constexpr auto name = "ncclAllReduce";

    allreduce(auto const& ranks, block all, ncclRedOp_t op, buffers used = buffers::out_of_place)
        : operation_base{ranks, all, used, 0, op} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : bytes_; }
    std::size_t recv_bytes() const { return bytes_; }
    sonde::traffic traffic() const { return share(bytes_, 2 * remote_fraction()); }
    void enqueue(call_arguments a, ncclComm_t comm, stream_type stream) const {
        check(ncclAllReduce(sendbuf(a), a.recvbuf, block_.count, block_.type, op_, comm, stream), name);
    }
};

/// Every rank receives a block of every rank, each meant for it alone: ncclSend and ncclRecv to and from all ranks, in
/// one group of calls. It does not work in place.
struct alltoall : private detail::operation_base {
    static constexpr auto name = "alltoall by ncclSend and ncclRecv";

    alltoall(auto const& ranks, block each) : operation_base{ranks, each, buffers::out_of_place} {}

    std::size_t send_bytes() const { return ranks() * bytes_; }
    std::size_t recv_bytes() const { return ranks() * bytes_; }
    sonde::traffic traffic() const { return share(recv_bytes(), remote_fraction()); }
    void enqueue(call_arguments a, ncclComm_t comm, stream_type stream) const {
        detail::call_group group;
        group.start();
        for (int peer = 0; peer != size_; ++peer, a.sendbuf += bytes_, a.recvbuf += bytes_) {
            check(ncclSend(a.sendbuf, block_.count, block_.type, peer, comm, stream), "ncclSend");
            check(ncclRecv(a.recvbuf, block_.count, block_.type, peer, comm, stream), "ncclRecv");
        }
        group.end();
    }
};

/// ncclBroadcast: every rank receives the root's block; in place, which is the default, all ranks have one buffer.
struct bcast : private detail::operation_base {
    static constexpr auto name = "ncclBroadcast";

    bcast(auto const& ranks, block all, int root = 0, buffers used = in_place)
        : operation_base{ranks, all, used, root} {}

    std::size_t send_bytes() const { return in_place_ || rank_ != root_ ? 0 : bytes_; }
    std::size_t recv_bytes() const { return bytes_; }
    sonde::traffic traffic() const { return share(bytes_, 1); }
    void enqueue(call_arguments a, ncclComm_t comm, stream_type stream) const {
        check(ncclBroadcast(sendbuf(a), a.recvbuf, block_.count, block_.type, root_, comm, stream), name);
    }
};

/// ncclReduce: the root receives the reduction over all ranks; in place, its own vector is in the receive buffer
/// already.
struct reduce : private detail::operation_base {
    static constexpr auto name = "ncclReduce";

    reduce(auto const& ranks, block all, ncclRedOp_t op, int root = 0, buffers used = buffers::out_of_place)
        : operation_base{ranks, all, used, root, op} {}

    std::size_t send_bytes() const { return in_place_ && rank_ == root_ ? 0 : bytes_; }
    std::size_t recv_bytes() const { return rank_ == root_ ? bytes_ : 0; }
    sonde::traffic traffic() const { return share(bytes_, 1); }
    void enqueue(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const* const own = in_place_ && rank_ == root_ ? a.recvbuf : a.sendbuf;
        check(ncclReduce(own, a.recvbuf, block_.count, block_.type, op_, root_, comm, stream), name);
    }
};

/// ncclReduceScatter: rank r receives block r of the reduction over all ranks; in place, at the position of block r of
/// its own vector.
struct reduce_scatter : private detail::operation_base {
    static constexpr auto name = "ncclReduceScatter";

    reduce_scatter(auto const& ranks, block each, ncclRedOp_t op, buffers used = buffers::out_of_place)
        : operation_base{ranks, each, used, 0, op} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : ranks() * bytes_; }
    std::size_t recv_bytes() const { return in_place_ ? ranks() * bytes_ : bytes_; }
    sonde::traffic traffic() const { return share(ranks() * bytes_, remote_fraction()); }
    void enqueue(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto* const result = in_place_ ? a.recvbuf + self() * bytes_ : a.recvbuf;
        check(ncclReduceScatter(sendbuf(a), result, block_.count, block_.type, op_, comm, stream), name);
    }
};

// Call modes.

/// One call of an operation in each iteration, in stream order; `complete` waits for the stream:
/// `stream_ordered{allreduce{world, {ncclFloat, n}, ncclSum}, queue{world, stream}, out, in}`.
///
/// The operation sends from `out` and receives into `in`; in place it has one buffer. Throws std::length_error for a
/// region that is smaller than the operation's send or receive buffer on this rank.
template <CollectiveOperation Op, Wait W = polling<>, Buffer Out = opaque_slice, Buffer In = opaque_slice>
class stream_ordered {
public:
    stream_ordered(Op operation, queue<W> queue, Out out, In in)
        : operation_{std::move(operation)}, queue_{std::move(queue)}, out_{std::move(out)}, in_{std::move(in)} {
        auto const call = std::string{"sonde::nccl: "} + Op::name;
        sonde::detail::require_bytes(call, "sends from", operation_.send_bytes(), out_.size());
        sonde::detail::require_bytes(call, "receives into", operation_.recv_bytes(), in_.size());
    }
    stream_ordered(Op operation, queue<W> queue, In both)
        : stream_ordered{std::move(operation), std::move(queue), Out{}, std::move(both)} {}

    void operator()() { operation_.enqueue({out_.next().data(), in_.next().data()}, queue_.comm(), queue_.stream()); }
    void complete() { queue_.wait(); }
    sonde::traffic traffic() const { return operation_.traffic(); }

protected:
    Op operation_;
    queue<W> queue_;
    Out out_;
    In in_;
};

/// One call of an operation and a wait for the stream in each iteration. `start`, `test` and `wait` make it a
/// sonde::NonblockingOperation; one operation is pending at a time.
template <CollectiveOperation Op, Wait W = polling<>, Buffer Out = opaque_slice, Buffer In = opaque_slice>
class nonblocking : stream_ordered<Op, W, Out, In> {
    using base = stream_ordered<Op, W, Out, In>;

public:
    using base::base;
    using base::traffic;

    void start() { base::operator()(); }
    bool test() { return this->queue_.is_complete(); }
    void wait() { base::complete(); }
    void operator()() {
        start();
        wait();
    }
    void complete() {} // an iteration leaves nothing pending
};
template <class Op, class W, class Out, class In>
nonblocking(Op, queue<W>, Out, In) -> nonblocking<Op, W, Out, In>;
template <class Op, class W, class B>
nonblocking(Op, queue<W>, B) -> nonblocking<Op, W, opaque_slice, B>;

} // namespace sonde::nccl
