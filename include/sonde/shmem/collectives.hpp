// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/shmem/group.hpp>
#include <sonde/shmem/memory.hpp>
#include <sonde/shmem/transfers.hpp>

#include <shmem.h>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Collectives of OpenSHMEM (1.4, 9.8; with teams 1.5, 9.9). All buffers are symmetric, and every PE passes the same
// buffers.

namespace sonde::inline v0_1::shmem {

/// Symmetric work arrays of a call before OpenSHMEM 1.5: pSync, and pWrk for a reduction.
struct work_area {
    long* sync; // pSync
    void* work; // pWrk
};

/// A collective operation of OpenSHMEM: a sonde::CollectiveOperation with
///
///     op.invoke(arguments, work_area)    the call
///     op.pes()                           its active set
///     op.work_bytes()                    size of its work array before OpenSHMEM 1.5
///     Op::synchronizes                   constant bool: no PE returns before all PEs have called it
template <class Op>
concept SymmetricOperation = InvocableOperation<Op, work_area> && requires(Op const& op) {
    { Op::synchronizes } -> std::convertible_to<bool>;
    { op.work_bytes() } -> std::convertible_to<std::size_t>;
    { op.pes() } -> std::convertible_to<active_set>;
};

/// Element of broadcast, collect, fcollect, alltoall and alltoalls: 4 or 8 bytes, which select the function.
template <class T>
concept CollectiveElement = std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {

/// This PE in its group.
struct member : group_member {
    active_set set;
#if SONDE_SHMEM_TEAMS
    shmem_team_t team;
#endif

    explicit member(group const& ranks) : group_member{ranks.rank(), ranks.size(), "sonde::shmem"}, set{ranks.pes()} {
#if SONDE_SHMEM_TEAMS
        team = ranks.team();
#endif
    }
};

/// n elements of `size` bytes.
struct elements_block {
    std::size_t n;
    std::size_t size;

    std::size_t bytes() const { return n * size; }
};
using blocks = uniform_blocks<elements_block>;

/// Returns n. Throws std::invalid_argument for 0 elements, because no PE waits for a PE that sends no data. Such a PE
/// could fall behind by more calls than there are work arrays.
inline std::size_t require_elements(std::size_t n) {
    if (n == 0) throw std::invalid_argument{"sonde::shmem: a collective operation needs at least one element"};
    return n;
}

template <class T>
elements_block elements_of(std::size_t n) {
    return {require_elements(n), sizeof(T)};
}

/// Consecutive blocks; block i has `counts[i]` elements.
class counted_blocks {
public:
    struct description {
        std::vector<std::size_t> counts;
        std::size_t size;
    };

    counted_blocks(description const& all, std::size_t n) : offsets_{0} {
        if (all.counts.size() != n)
            throw std::invalid_argument{"sonde::shmem: needs the number of elements of each of " + std::to_string(n) +
                                        " PEs"};
        for (auto const count : all.counts) {
            require_elements(count);
            offsets_.push_back(offsets_.back() + count * all.size);
        }
    }

    std::size_t blocks() const { return offsets_.size() - 1; }
    std::size_t offset(std::size_t i) const { return offsets_[i]; }
    /// 0 for a PE outside the group, because such PEs also construct operations.
    std::size_t span(std::size_t i) const { return i < blocks() ? offsets_[i + 1] - offsets_[i] : 0; }
    std::size_t span() const { return offsets_.back(); }
    std::size_t payload() const { return span(); }

private:
    std::vector<std::size_t> offsets_; // of the blocks, and the end
};

/// What every operation of OpenSHMEM has besides its data; `Base` is a base of <sonde/collective/operations.hpp>.
template <class Base, bool Synchronizes = true>
class operation : public Base {
public:
    static constexpr bool synchronizes = Synchronizes;

    active_set const& pes() const { return this->member_.set; }
    std::size_t work_bytes() const { return 0; }

protected:
    using Base::Base;
};

/// Base class of the operations without data.
class synchronization : public operation<barrier_base<member>> {
protected:
    explicit synchronization(group const& ranks) : operation{member{ranks}}, of_all_{ranks.size() == shmem_n_pes()} {}

    bool of_all_;
};

} // namespace detail

// Operations. Constructors throw std::invalid_argument for n = 0, and for a root that is not a rank of the group. The
// group must outlive the operation.

/// shmem_barrier, or shmem_barrier_all where the group has all PEs: completes all transfers, and waits for all PEs.
struct barrier : detail::synchronization {
    static constexpr auto name = "shmem_barrier";

    explicit barrier(group_ref ranks) : synchronization{ranks} {}

    void invoke(call_arguments, [[maybe_unused]] work_area area) const {
        if (of_all_) return shmem_barrier_all();
#if SONDE_SHMEM_TEAMS
        shmem_quiet();
        shmem_team_sync(member_.team);
#else
        shmem_barrier(pes().start, pes().log_stride, pes().size, area.sync);
#endif
    }
};

/// shmem_sync, or shmem_sync_all where the group has all PEs: waits for all PEs, and completes no transfers.
struct sync : detail::synchronization {
    static constexpr auto name = "shmem_sync";

    explicit sync(group_ref ranks) : synchronization{ranks} {}

    void invoke(call_arguments, [[maybe_unused]] work_area area) const {
        if (of_all_) return shmem_sync_all();
#if SONDE_SHMEM_TEAMS
        shmem_team_sync(member_.team);
#else
        shmem_sync(pes().start, pes().log_stride, pes().size, area.sync);
#endif
    }
};

/// shmem_broadcast32 or shmem_broadcast64 (shmem_broadcastmem on a team): all PEs except the root receive the root's
/// `n` elements. The root's own receive buffer is written on a team only.
template <CollectiveElement T>
struct broadcast : detail::operation<broadcast_base<detail::member, int, detail::blocks>, false> {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_broadcast32" : "shmem_broadcast64";

    broadcast(group_ref ranks, std::size_t n, int root = 0)
        : operation{detail::member{ranks}, detail::elements_of<T>(n), root, placement::out_of_place} {}

    std::size_t send_bytes() const { return recv_bytes(); } // on all PEs, because buffers are symmetric
    std::vector<expected_block> expected_blocks(int root) const {
        if (!SONDE_SHMEM_TEAMS && is_root(root)) return {};
        return broadcast_base::expected_blocks(root);
    }
    void invoke(call_arguments a, [[maybe_unused]] work_area area) const {
#if SONDE_SHMEM_TEAMS
        shmem_broadcastmem(member_.team, a.recvbuf, a.sendbuf, all_.span(), a.root);
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_broadcast32 : shmem_broadcast64;
        call(a.recvbuf, a.sendbuf, all_.each().n, a.root, pes().start, pes().log_stride, pes().size, area.sync);
#endif
    }
};

/// shmem_collect32 or shmem_collect64 (shmem_collectmem): every PE receives the elements of all PEs. `counts` has the
/// number of elements of each PE, and is equal on all PEs.
template <CollectiveElement T>
struct collect : detail::operation<gather_base<detail::member, no_root, detail::counted_blocks>> {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_collect32" : "shmem_collect64";

    collect(group_ref ranks, std::vector<std::size_t> counts)
        : operation{detail::member{ranks}, {std::move(counts), sizeof(T)}, {}, placement::out_of_place},
          n_{all_.span(self()) / sizeof(T)} {}

    void invoke(call_arguments a, [[maybe_unused]] work_area area) const {
#if SONDE_SHMEM_TEAMS
        shmem_collectmem(member_.team, a.recvbuf, a.sendbuf, n_ * sizeof(T));
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_collect32 : shmem_collect64;
        call(a.recvbuf, a.sendbuf, n_, pes().start, pes().log_stride, pes().size, area.sync);
#endif
    }

private:
    std::size_t n_; // of this PE
};

/// shmem_fcollect32 or shmem_fcollect64 (shmem_fcollectmem): every PE receives the `n` elements of every PE.
template <CollectiveElement T>
struct fcollect : detail::operation<gather_base<detail::member, no_root, detail::blocks>> {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_fcollect32" : "shmem_fcollect64";

    fcollect(group_ref ranks, std::size_t n)
        : operation{detail::member{ranks}, detail::elements_of<T>(n), {}, placement::out_of_place} {}

    void invoke(call_arguments a, [[maybe_unused]] work_area area) const {
#if SONDE_SHMEM_TEAMS
        shmem_fcollectmem(member_.team, a.recvbuf, a.sendbuf, all_.span(0));
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_fcollect32 : shmem_fcollect64;
        call(a.recvbuf, a.sendbuf, all_.each().n, pes().start, pes().log_stride, pes().size, area.sync);
#endif
    }
};

/// shmem_alltoall32 or shmem_alltoall64 (shmem_alltoallmem): every PE sends `n` different elements to each PE.
template <CollectiveElement T>
struct alltoall : detail::operation<alltoall_base<detail::member, detail::blocks>> {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_alltoall32" : "shmem_alltoall64";

    alltoall(group_ref ranks, std::size_t n)
        : operation{detail::member{ranks}, detail::elements_of<T>(n), detail::elements_of<T>(n),
                    placement::out_of_place} {}

    void invoke(call_arguments a, [[maybe_unused]] work_area area) const {
#if SONDE_SHMEM_TEAMS
        shmem_alltoallmem(member_.team, a.recvbuf, a.sendbuf, in_.span(0));
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_alltoall32 : shmem_alltoall64;
        call(a.recvbuf, a.sendbuf, in_.each().n, pes().start, pes().log_stride, pes().size, area.sync);
#endif
    }
};

/// shmem_alltoalls32 or shmem_alltoalls64 (shmem_alltoallsmem): as alltoall, with elements that lie `dest_stride` and
/// `source_stride` elements apart. Throws std::invalid_argument for a stride below 1.
template <CollectiveElement T>
struct alltoalls : detail::operation<collective_base<detail::member>> {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_alltoalls32" : "shmem_alltoalls64";

    alltoalls(group_ref ranks, std::size_t n, std::ptrdiff_t dest_stride, std::ptrdiff_t source_stride)
        : operation{detail::member{ranks}}, n_{detail::require_elements(n)}, dest_stride_{dest_stride},
          source_stride_{source_stride} {
        if (dest_stride < 1 || source_stride < 1)
            throw std::invalid_argument{"sonde::shmem: a stride of shmem_alltoalls is at least 1"};
    }

    std::size_t send_bytes() const { return offset(ranks() * n_ - 1, source_stride_) + sizeof(T); }
    std::size_t recv_bytes() const { return offset(ranks() * n_ - 1, dest_stride_) + sizeof(T); }
    std::vector<contribution> contributions(int) const {
        std::vector<contribution> found;
        for (std::size_t i = 0; i != ranks() * n_; ++i)
            found.push_back({offset(i, source_stride_), sizeof(T), peer(i), false, i % n_ * sizeof(T)});
        return found;
    }
    std::vector<expected_block> expected_blocks(int) const {
        std::vector<expected_block> found;
        for (std::size_t i = 0; i != ranks() * n_; ++i)
            found.push_back({offset(i, dest_stride_), sizeof(T), peer(i), peer(i), member_.rank, i % n_ * sizeof(T)});
        return found;
    }
    sonde::traffic traffic() const { return share(ranks() * n_ * sizeof(T), remote_fraction()); }
    void invoke(call_arguments a, [[maybe_unused]] work_area area) const {
#if SONDE_SHMEM_TEAMS
        auto const call = [](auto... arguments) {
            if constexpr (sizeof(T) == 4) shmem_float_alltoalls(arguments...);
            else shmem_double_alltoalls(arguments...);
        };
        using element = std::conditional_t<sizeof(T) == 4, float, double>; // only its size counts
        call(member_.team, reinterpret_cast<element*>(a.recvbuf), reinterpret_cast<element const*>(a.sendbuf),
             dest_stride_, source_stride_, n_);
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_alltoalls32 : shmem_alltoalls64;
        call(a.recvbuf, a.sendbuf, dest_stride_, source_stride_, n_, pes().start, pes().log_stride, pes().size,
             area.sync);
#endif
    }

private:
    /// Element i of all blocks: its offset, and the PE that sends or receives it.
    static std::size_t offset(std::size_t i, std::ptrdiff_t stride) {
        return i * static_cast<std::size_t>(stride) * sizeof(T);
    }
    int peer(std::size_t i) const { return static_cast<int>(i / n_); }

    std::size_t n_;
    std::ptrdiff_t dest_stride_;
    std::ptrdiff_t source_stride_;
};

// Call mode.

namespace detail {

/// Returns the buffer after a check that each of its regions is symmetric; its `next` returns the first region again.
/// Throws std::invalid_argument for a region without a counterpart on PE `pe`.
template <Buffer B>
B require_symmetric_buffer(B buffer, int pe) {
    for (std::size_t i = sonde::regions(buffer); i != 0; --i) {
        auto const bytes = buffer.next();
        require_symmetric(bytes.data(), bytes.size(), pe);
    }
    return buffer;
}

#if SONDE_SHMEM_TEAMS

/// Teams bring their own work arrays.
template <SymmetricOperation Op>
struct work_arrays {
    explicit work_arrays(Op const&) {}
    work_area next() { return {nullptr, nullptr}; }
    void release() {}
};

#else

/// Symmetric work arrays (pSync, pWrk) of an operation. A call must not use arrays that a PE may still use in an
/// earlier call: an operation that waits for all PEs needs two sets in turn. In any other operation the root may run
/// ahead. Such an operation therefore has more sets, and the PEs wait for each other before the first set is used
/// again.
template <SymmetricOperation Op>
class work_arrays {
public:
    explicit work_arrays(Op const& operation)
        : set_{operation.pes()}, work_size_{(operation.work_bytes() + 63) / 64 * 64},
          sync_{(turns + 1) * SHMEM_SYNC_SIZE, SHMEM_SYNC_VALUE}, work_{turns * work_size_} {}

    work_area next() {
        if (turn_ == turns) {
            if constexpr (!Op::synchronizes) wait_for_all();
            turn_ = 0;
        }
        auto const turn = turn_++;
        return {sync_.elements().data() + turn * SHMEM_SYNC_SIZE, work_.elements().data() + turn * work_size_};
    }
    /// Make all sets unused again. Collective over the active set.
    void release() {
        if constexpr (!Op::synchronizes) wait_for_all();
        turn_ = 0;
    }

private:
    static constexpr std::size_t turns = Op::synchronizes ? 2 : 64;

    void wait_for_all() {
        shmem_sync(set_.start, set_.log_stride, set_.size, sync_.elements().data() + turns * SHMEM_SYNC_SIZE);
    }

    active_set set_;
    std::size_t work_size_;
    symmetric_array<long> sync_;
    symmetric_array<std::byte> work_;
    std::size_t turn_ = 0;
};

#endif

} // namespace detail

/// One call of an operation in each iteration: `blocking{fcollect<int>{world, n}, out, in}`.
///
/// The operation sends from `out` and receives into `in`. Where OpenSHMEM allows it (broadcast, reduce) one buffer may
/// serve for both; a barrier has no buffer. Before OpenSHMEM 1.5, constructor and destructor allocate and free memory
/// of the symmetric heap, so they are collective over all PEs. In a broadcast PEs wait for the root only. Before
/// OpenSHMEM 1.5 the PEs of the set therefore wait for each other after each sample of broadcasts, and within a sample
/// after every 64th iteration. Throws std::length_error for a region that is smaller than the operation's send or
/// receive buffer on this PE, std::invalid_argument for a region that is not symmetric, and heap_exhausted.
template <class Op, class Out = slice, class In = Out>
class blocking : public bound_operation<Op, Out, In, SymmetricOperation<Op>> {
public:
    blocking(Op operation, Out out, In in)
        : blocking::bound_operation{"sonde::shmem", operation,
                                    detail::require_symmetric_buffer(std::move(out), operation.pes().pe(0)),
                                    detail::require_symmetric_buffer(std::move(in), operation.pes().pe(0))},
          arrays_{operation} {}
    explicit blocking(Op operation, Out both = {})
        requires std::same_as<Out, In>
        : blocking{std::move(operation), both, both} {}

    void operator()() { this->operation_.invoke(this->next(), arrays_.next()); }
    void after_sample(auto const&, auto const&) { arrays_.release(); }

private:
    detail::work_arrays<Op> arrays_;
};
template <class Op>
blocking(Op) -> blocking<Op>;

} // namespace sonde::shmem
