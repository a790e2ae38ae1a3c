// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/oneccl/communicator.hpp>
#include <sonde/pattern.hpp>

#include <utility>
#include <vector>

namespace sonde::inline v0_1::oneccl {

// Operations. Traffic and bus-bandwidth factors follow nccl-tests, see docs/gpu.md. `ranks` is a communicator, or a
// group with the same ranks. `op.invoke(arguments, comm)` starts the operation and returns the event of its end.
// Constructors with a root throw std::invalid_argument if it is not a rank.

namespace detail {

using blocks = uniform_blocks<block>;

inline group_member member_of(auto const& ranks) { return {ranks.rank(), ranks.size(), "sonde::oneccl"}; }

} // namespace detail

/// ccl::allgather: every rank receives the block of every rank; in place, its own block is in the receive buffer
/// already.
struct allgather : gather_base<group_member, no_root, detail::blocks> {
    static constexpr auto name = "ccl::allgather";

    allgather(auto const& ranks, block each, placement where = placement::out_of_place)
        : gather_base{detail::member_of(ranks), each, {}, where} {}

    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        auto const* const own = in_place_ ? a.recvbuf + all_.offset(self()) : a.sendbuf;
        return ccl::allgather(own, a.recvbuf, all_.each().count, all_.each().type, comm);
    }
};

/// ccl::allreduce: every rank receives the reduction over all ranks.
struct allreduce : reduction_base<group_member, no_root, detail::blocks> {
    static constexpr auto name = "ccl::allreduce";

    allreduce(auto const& ranks, block all, ccl::reduction op, placement where = placement::out_of_place)
        : reduction_base{detail::member_of(ranks), all, 1, {}, where}, op_{op} {}

    sonde::traffic traffic() const { return share_with_all(); }
    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        auto const* const own = in_place_ ? a.recvbuf : a.sendbuf;
        return ccl::allreduce(own, a.recvbuf, all_.each().count, all_.each().type, op_, comm);
    }

private:
    ccl::reduction op_;
};

/// ccl::alltoall: every rank sends a different block to each rank. It does not work in place.
struct alltoall : alltoall_base<group_member, detail::blocks> {
    static constexpr auto name = "ccl::alltoall";

    alltoall(auto const& ranks, block each)
        : alltoall_base{detail::member_of(ranks), each, each, placement::out_of_place} {}

    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        return ccl::alltoall(a.sendbuf, a.recvbuf, in_.each().count, in_.each().type, comm);
    }
};

/// ccl::broadcast: every rank receives the root's block; in place, which is the default, all ranks have one buffer.
struct bcast : broadcast_base<group_member, int, detail::blocks> {
    static constexpr auto name = "ccl::broadcast";

    bcast(auto const& ranks, block all, int root = 0, placement where = in_place)
        : broadcast_base{detail::member_of(ranks), all, root, where} {}

    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        auto const& [type, count] = all_.each();
        if (in_place_) return ccl::broadcast(a.recvbuf, count, type, a.root, comm);
        return ccl::broadcast(a.sendbuf, a.recvbuf, count, type, a.root, comm);
    }
};

/// ccl::reduce: the root receives the reduction over all ranks; in place, its own vector is in the receive buffer
/// already.
struct reduce : reduction_base<group_member, int, detail::blocks> {
    static constexpr auto name = "ccl::reduce";

    reduce(auto const& ranks, block all, ccl::reduction op, int root = 0, placement where = placement::out_of_place)
        : reduction_base{detail::member_of(ranks), all, 1, root, where}, op_{op} {}

    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        auto const* const own = is_in_place(a.root) ? a.recvbuf : a.sendbuf;
        return ccl::reduce(own, a.recvbuf, all_.each().count, all_.each().type, op_, a.root, comm);
    }

private:
    ccl::reduction op_;
};

/// ccl::reduce_scatter: rank r receives block r of the reduction over all ranks; in place, the block is received at the
/// position of block r of the rank's own vector.
struct reduce_scatter : reduce_scatter_base<group_member, detail::blocks> {
    static constexpr auto name = "ccl::reduce_scatter";

    reduce_scatter(auto const& ranks, block each, ccl::reduction op, placement where = placement::out_of_place)
        : reduce_scatter_base{detail::member_of(ranks), each, where}, op_{op} {}

    std::vector<expected_block> expected_blocks(int root) const {
        auto result = reduce_scatter_base::expected_blocks(root);
        if (in_place_) result.front().offset = all_.offset(self());
        return result;
    }
    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        auto const* const own = in_place_ ? a.recvbuf : a.sendbuf;
        auto* const result = in_place_ ? a.recvbuf + all_.offset(self()) : a.recvbuf;
        return ccl::reduce_scatter(own, result, all_.each().count, all_.each().type, op_, comm);
    }

private:
    ccl::reduction op_;
};

/// One call of an operation and a wait for its event in each iteration:
/// `nonblocking{allreduce{world, {ccl::datatype::float32, n}, ccl::reduction::sum}, world, out, in}`. `start`, `test`
/// and `wait` make it a sonde::NonblockingOperation; one operation is pending at a time.
///
/// The operation sends from `out` and receives into `in`; in place it has one buffer. Throws std::length_error for a
/// region that is smaller than the operation's send or receive buffer on this rank. The communicator must outlive it.
template <class Op, class Out = opaque_slice, class In = opaque_slice>
class nonblocking : bound_operation<Op, Out, In, InvocableOperation<Op, ccl::communicator const&>> {
    using base = bound_operation<Op, Out, In, InvocableOperation<Op, ccl::communicator const&>>;

public:
    nonblocking(Op op, communicator const& ranks, Out out, In in)
        : base{"sonde::oneccl", std::move(op), std::move(out), std::move(in)}, ranks_{&ranks} {}
    nonblocking(Op op, communicator const& ranks, In both)
        : nonblocking{std::move(op), ranks, Out{}, std::move(both)} {}

    using base::operation;
    using base::requirements;
    using base::traffic;

    void start() {
        started_ = detail::checked(Op::name, [this] { return this->operation_.invoke(this->next(), ranks_->get()); });
    }
    bool test() {
        return detail::checked("ccl::event::test", [this] { return started_.test(); });
    }
    void wait() {
        detail::checked("ccl::event::wait", [this] { started_.wait(); });
    }
    void operator()() {
        start();
        wait();
    }

private:
    communicator const* ranks_;
    ccl::event started_{};
};
template <class Op, class Out, class In>
nonblocking(Op, communicator const&, Out, In) -> nonblocking<Op, Out, In>;
template <class Op, class B>
nonblocking(Op, communicator const&, B) -> nonblocking<Op, opaque_slice, B>;

} // namespace sonde::oneccl
