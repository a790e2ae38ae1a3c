// SPDX-License-Identifier: BSL-1.0
#pragma once

// Every collective as a value; nccl/forms.hpp makes patterns of them. What an operation is said to move, and its factor
// of bus bandwidth, are as nccl-tests defines them: see docs/gpu.md.

#include <sonde/nccl/grouped.hpp>
#include <sonde/nccl/kind.hpp>

namespace sonde::nccl {

/// ncclAllGather: every rank gets every rank's block; in place, its own lies there already.
class allgather : detail::member {
public:
    static constexpr auto called = "ncclAllGather";

    template <class Ranks>
    allgather(Ranks const& ranks, block each, buffers where = buffers::apart) : member{ranks, each, where} {}

    std::size_t sends() const { return in_place_ ? 0 : bytes_; }
    std::size_t receives() const { return ranks() * bytes_; }
    traffic moves() const { return share(receives(), others()); }
    void enqueue(turn t, ncclComm_t comm, cudaStream_t stream) const {
        check(ncclAllGather(in_place_ ? t.in + self() : t.out, t.in, each_.count, each_.type, comm, stream), called);
    }
};

/// ncclAllReduce: every rank gets all vectors combined.
class allreduce : detail::member {
public:
    static constexpr auto called = "ncclAllReduce";

    template <class Ranks>
    allreduce(Ranks const& ranks, block all, ncclRedOp_t op, buffers where = buffers::apart)
        : member{ranks, all, where}, op_{op} {}

    std::size_t sends() const { return in_place_ ? 0 : bytes_; }
    std::size_t receives() const { return bytes_; }
    traffic moves() const { return share(bytes_, 2 * others()); }
    void enqueue(turn t, ncclComm_t comm, cudaStream_t stream) const {
        check(ncclAllReduce(in_place_ ? t.in : t.out, t.in, each_.count, each_.type, op_, comm, stream), called);
    }

private:
    ncclRedOp_t op_;
};

/// Every rank gets a block from every rank, each meant for it alone: ncclSend and ncclRecv to and from all, in one
/// group. There is no such operation in place.
class alltoall : detail::member {
public:
    static constexpr auto called = "alltoall by ncclSend and ncclRecv";

    template <class Ranks>
    alltoall(Ranks const& ranks, block each) : member{ranks, each, buffers::apart} {}

    std::size_t sends() const { return ranks() * bytes_; }
    std::size_t receives() const { return ranks() * bytes_; }
    traffic moves() const { return share(receives(), others()); }
    void enqueue(turn t, ncclComm_t comm, cudaStream_t stream) const {
        detail::call_group all;
        all.open();
        for (int peer = 0; peer != size_; ++peer, t.out += bytes_, t.in += bytes_) {
            check(ncclSend(t.out, each_.count, each_.type, peer, comm, stream), "ncclSend");
            check(ncclRecv(t.in, each_.count, each_.type, peer, comm, stream), "ncclRecv");
        }
        all.close();
    }
};

/// ncclBroadcast: every rank gets the root's block; in place, which is the default, there is one region.
class bcast : detail::member {
public:
    static constexpr auto called = "ncclBroadcast";

    template <class Ranks>
    bcast(Ranks const& ranks, block all, int root = 0, buffers where = in_place)
        : member{ranks, all, where}, root_{checked(root)} {}

    std::size_t sends() const { return in_place_ || rank_ != root_ ? 0 : bytes_; }
    std::size_t receives() const { return bytes_; }
    traffic moves() const { return share(bytes_, 1); }
    void enqueue(turn t, ncclComm_t comm, cudaStream_t stream) const {
        check(ncclBroadcast(in_place_ ? t.in : t.out, t.in, each_.count, each_.type, root_, comm, stream), called);
    }

private:
    int root_;
};

/// ncclReduce: the root gets all vectors combined; in place, its own lies there already.
class reduce : detail::member {
public:
    static constexpr auto called = "ncclReduce";

    template <class Ranks>
    reduce(Ranks const& ranks, block all, ncclRedOp_t op, int root = 0, buffers where = buffers::apart)
        : member{ranks, all, where}, op_{op}, root_{checked(root)} {}

    std::size_t sends() const { return in_place_ && rank_ == root_ ? 0 : bytes_; }
    std::size_t receives() const { return rank_ == root_ ? bytes_ : 0; }
    traffic moves() const { return share(bytes_, 1); }
    void enqueue(turn t, ncclComm_t comm, cudaStream_t stream) const {
        auto const* const out = in_place_ && rank_ == root_ ? t.in : t.out;
        check(ncclReduce(out, t.in, each_.count, each_.type, op_, root_, comm, stream), called);
    }

private:
    ncclRedOp_t op_;
    int root_;
};

/// ncclReduceScatter: rank r gets block r of all vectors combined; in place, where block r of its own vector lay.
class reduce_scatter : detail::member {
public:
    static constexpr auto called = "ncclReduceScatter";

    template <class Ranks>
    reduce_scatter(Ranks const& ranks, block each, ncclRedOp_t op, buffers where = buffers::apart)
        : member{ranks, each, where}, op_{op} {}

    std::size_t sends() const { return in_place_ ? 0 : ranks() * bytes_; }
    std::size_t receives() const { return in_place_ ? ranks() * bytes_ : bytes_; }
    traffic moves() const { return share(ranks() * bytes_, others()); }
    void enqueue(turn t, ncclComm_t comm, cudaStream_t stream) const {
        auto const* const out = in_place_ ? t.in : t.out;
        auto* const in = in_place_ ? t.in + self() : t.in;
        check(ncclReduceScatter(out, in, each_.count, each_.type, op_, comm, stream), called);
    }

private:
    ncclRedOp_t op_;
};

} // namespace sonde::nccl
