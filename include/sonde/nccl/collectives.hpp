// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/link.hpp>
#include <sonde/pattern.hpp>

#include <utility>
#include <vector>

namespace sonde::inline v0_1::nccl {

// Operations. Traffic and bus-bandwidth factors follow nccl-tests, see docs/gpu.md. `ranks` is a communicator, or a
// group with the same ranks. `op.invoke(arguments, comm, stream)` is the call, or calls, of NCCL. Constructors with a
// root throw std::invalid_argument if it is not a rank.

namespace detail {

using blocks = uniform_blocks<block>;

inline group_member member_of(auto const& ranks) { return {ranks.rank(), ranks.size(), "sonde::nccl"}; }

} // namespace detail

/// ncclAllGather: every rank receives the block of every rank; in place, its own block is in the receive buffer
/// already.
struct allgather : gather_base<group_member, no_root, detail::blocks> {
    static constexpr auto name = "ncclAllGather";

    allgather(auto const& ranks, block each, placement where = placement::out_of_place)
        : gather_base{detail::member_of(ranks), each, {}, where} {}

    void invoke(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const* const own = in_place_ ? a.recvbuf + all_.offset(self()) : a.sendbuf;
        check(ncclAllGather(own, a.recvbuf, all_.each().count, all_.each().type, comm, stream), name);
    }
};

/// ncclAllReduce: every rank receives the reduction over all ranks.
struct allreduce : reduction_base<group_member, no_root, detail::blocks> {
    static constexpr auto name = "ncclAllReduce";

    allreduce(auto const& ranks, block all, ncclRedOp_t op, placement where = placement::out_of_place)
        : reduction_base{detail::member_of(ranks), all, 1, {}, where}, op_{op} {}

    sonde::traffic traffic() const { return share_with_all(); }
    void invoke(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const* const own = in_place_ ? a.recvbuf : a.sendbuf;
        check(ncclAllReduce(own, a.recvbuf, all_.each().count, all_.each().type, op_, comm, stream), name);
    }

private:
    ncclRedOp_t op_;
};

/// Every rank sends a different block to each rank, by ncclSend and ncclRecv in one group of calls. It does not work in
/// place.
struct alltoall : alltoall_base<group_member, detail::blocks> {
    static constexpr auto name = "alltoall by ncclSend and ncclRecv";

    alltoall(auto const& ranks, block each)
        : alltoall_base{detail::member_of(ranks), each, each, placement::out_of_place} {}

    void invoke(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const& [type, count] = in_.each();
        detail::call_group group;
        group.start();
        for (int peer = 0; peer != member_.size; ++peer, a.sendbuf += in_.span(0), a.recvbuf += in_.span(0)) {
            check(ncclSend(a.sendbuf, count, type, peer, comm, stream), "ncclSend");
            check(ncclRecv(a.recvbuf, count, type, peer, comm, stream), "ncclRecv");
        }
        group.end();
    }
};

/// ncclBroadcast: every rank receives the root's block; in place, which is the default, all ranks have one buffer.
struct bcast : broadcast_base<group_member, int, detail::blocks> {
    static constexpr auto name = "ncclBroadcast";

    bcast(auto const& ranks, block all, int root = 0, placement where = in_place)
        : broadcast_base{detail::member_of(ranks), all, root, where} {}

    void invoke(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const* const own = in_place_ ? a.recvbuf : a.sendbuf;
        check(ncclBroadcast(own, a.recvbuf, all_.each().count, all_.each().type, a.root, comm, stream), name);
    }
};

/// ncclReduce: the root receives the reduction over all ranks; in place, its own vector is in the receive buffer
/// already.
struct reduce : reduction_base<group_member, int, detail::blocks> {
    static constexpr auto name = "ncclReduce";

    reduce(auto const& ranks, block all, ncclRedOp_t op, int root = 0, placement where = placement::out_of_place)
        : reduction_base{detail::member_of(ranks), all, 1, root, where}, op_{op} {}

    void invoke(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const* const own = is_in_place(a.root) ? a.recvbuf : a.sendbuf;
        check(ncclReduce(own, a.recvbuf, all_.each().count, all_.each().type, op_, a.root, comm, stream), name);
    }

private:
    ncclRedOp_t op_;
};

/// ncclReduceScatter: rank r receives block r of the reduction over all ranks; in place, the block is received at the
/// position of block r of the rank's own vector.
struct reduce_scatter : reduce_scatter_base<group_member, detail::blocks> {
    static constexpr auto name = "ncclReduceScatter";

    reduce_scatter(auto const& ranks, block each, ncclRedOp_t op, placement where = placement::out_of_place)
        : reduce_scatter_base{detail::member_of(ranks), each, where}, op_{op} {}

    std::vector<expected_block> expected_blocks(int root) const {
        auto result = reduce_scatter_base::expected_blocks(root);
        if (in_place_) result.front().offset = all_.offset(self());
        return result;
    }
    void invoke(call_arguments a, ncclComm_t comm, stream_type stream) const {
        auto const* const own = in_place_ ? a.recvbuf : a.sendbuf;
        auto* const result = in_place_ ? a.recvbuf + all_.offset(self()) : a.recvbuf;
        check(ncclReduceScatter(own, result, all_.each().count, all_.each().type, op_, comm, stream), name);
    }

private:
    ncclRedOp_t op_;
};

// Call modes.

/// One call of an operation in each iteration, in stream order; `complete` waits for the stream:
/// `stream_ordered{allreduce{world, {ncclFloat, n}, ncclSum}, queue{world, stream}, out, in}`.
///
/// The operation sends from `out` and receives into `in`; in place it has one buffer. Throws std::length_error for a
/// region that is smaller than the operation's send or receive buffer on this rank.
template <class Op, Wait W = polling<>, class Out = opaque_slice, class In = opaque_slice>
class stream_ordered : public bound_operation<Op, Out, In, InvocableOperation<Op, ncclComm_t, stream_type>> {
public:
    stream_ordered(Op operation, queue<W> queue, Out out, In in)
        : stream_ordered::bound_operation{"sonde::nccl", std::move(operation), std::move(out), std::move(in)},
          queue_{std::move(queue)} {}
    stream_ordered(Op operation, queue<W> queue, In both)
        : stream_ordered{std::move(operation), std::move(queue), Out{}, std::move(both)} {}

    void operator()() { this->operation_.invoke(this->next(), queue_.comm(), queue_.stream()); }
    void complete() { queue_.wait(); }

protected:
    queue<W> queue_;
};

/// One call of an operation and a wait for the stream in each iteration. `start`, `test` and `wait` make it a
/// sonde::NonblockingOperation; one operation is pending at a time.
template <class Op, Wait W = polling<>, class Out = opaque_slice, class In = opaque_slice>
class nonblocking : stream_ordered<Op, W, Out, In> {
    using base = stream_ordered<Op, W, Out, In>;

public:
    using base::base;
    using base::operation;
    using base::requirements;
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
