// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/collective.hpp>
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

// Collectives of OpenSHMEM (1.4, 9.8; with teams 1.5, 9.9). All buffers are symmetric, and every PE gives the same
// ones.

namespace sonde::shmem {

/// The arguments of a call that change from iteration to iteration.
struct call_arguments {
    std::byte* source;
    std::byte* dest;
    long* sync; // before OpenSHMEM 1.5
    void* work; // of a reduction before OpenSHMEM 1.5
};

/// One collective operation as this PE calls it, without buffers: a value.
///
///     op.send_bytes()          minimum size of this PE's send buffer; 0 if it is not used
///     op.recv_bytes()          the same of its receive buffer
///     op.traffic() -> traffic    bytes of the operation, shared by its PEs; bus-bandwidth factor
///     op.invoke(arguments)     the call
///     op.pes()                 its active set
///     op.work_bytes()          size of its work array before OpenSHMEM 1.5
///     Op::name                 its name
///     Op::synchronizes         constant bool: no PE returns before all PEs have called it
template <class Op>
concept CollectiveOperation = requires(Op const& op, call_arguments a) {
    { Op::name } -> std::convertible_to<char const*>;
    { Op::synchronizes } -> std::convertible_to<bool>;
    { op.send_bytes() } -> std::convertible_to<std::size_t>;
    { op.recv_bytes() } -> std::convertible_to<std::size_t>;
    { op.work_bytes() } -> std::convertible_to<std::size_t>;
    { op.traffic() } -> std::convertible_to<traffic>;
    { op.pes() } -> std::convertible_to<active_set>;
    op.invoke(a);
};

/// Element of broadcast, collect, fcollect, alltoall and alltoalls: 4 or 8 bytes, which select the function.
template <class T>
concept CollectiveElement = std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {

/// Base class of operations: the PEs, and `n` elements of T each.
class collective_operation : protected sonde::detail::collective_base {
public:
    active_set const& pes() const { return set_; }
    std::size_t work_bytes() const { return 0; }

protected:
    explicit collective_operation(group_ref ranks)
        : collective_base{ranks.get(), sonde::detail::buffers::out_of_place}, set_{ranks.get().pes()} {
#if SONDE_SHMEM_TEAMS
        team_ = ranks.get().team();
#endif
    }
    collective_operation(group_ref ranks, std::size_t n, std::size_t element) : collective_operation{ranks} {
        // No PE waits for the data of a PE that sends none, which could fall behind by more calls than there are work
        // arrays.
        if (n == 0) throw std::invalid_argument{"sonde::shmem: a collective operation needs at least one element"};
        n_ = n;
        bytes_ = n * element;
    }

    active_set set_;
    std::size_t n_ = 0;     // elements
    std::size_t bytes_ = 0; // of the elements
#if SONDE_SHMEM_TEAMS
    shmem_team_t team_;
#endif
};

/// Base class of the operations without data.
class synchronization : public collective_operation {
public:
    static constexpr bool synchronizes = true;

    std::size_t send_bytes() const { return 0; }
    std::size_t recv_bytes() const { return 0; }
    sonde::traffic traffic() const { return share(0, 1); }

protected:
    explicit synchronization(group_ref ranks)
        : collective_operation{ranks}, of_all_{ranks.get().size() == shmem_n_pes()} {}

    bool of_all_;
};

} // namespace detail

// Operations. Constructors throw std::invalid_argument for n = 0, and for a root that is not a rank of the group. The
// group must outlive the operation.

/// shmem_barrier, or shmem_barrier_all where the group has all PEs: completes all transfers, and waits for all PEs.
struct barrier : detail::synchronization {
    static constexpr auto name = "shmem_barrier";

    explicit barrier(group_ref ranks) : synchronization{ranks} {}

    void invoke([[maybe_unused]] call_arguments a) const {
        if (of_all_) return shmem_barrier_all();
#if SONDE_SHMEM_TEAMS
        shmem_quiet();
        shmem_team_sync(team_);
#else
        shmem_barrier(set_.start, set_.log_stride, set_.size, a.sync);
#endif
    }
};

/// shmem_sync, or shmem_sync_all where the group has all PEs: waits for all PEs, and completes no transfers.
struct sync : detail::synchronization {
    static constexpr auto name = "shmem_sync";

    explicit sync(group_ref ranks) : synchronization{ranks} {}

    void invoke([[maybe_unused]] call_arguments a) const {
        if (of_all_) return shmem_sync_all();
#if SONDE_SHMEM_TEAMS
        shmem_team_sync(team_);
#else
        shmem_sync(set_.start, set_.log_stride, set_.size, a.sync);
#endif
    }
};

/// shmem_broadcast32 or shmem_broadcast64 (shmem_broadcastmem on a team): all PEs but the root receive its `n`
/// elements. The root's own receive buffer is written on a team only.
template <CollectiveElement T>
struct broadcast : detail::collective_operation {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_broadcast32" : "shmem_broadcast64";
    static constexpr bool synchronizes = false;

    broadcast(group_ref ranks, std::size_t n, int root = 0)
        : collective_operation{ranks, n, sizeof(T)},
          root_{sonde::detail::require_root("sonde::shmem", root, ranks.get().size())} {}

    std::size_t send_bytes() const { return bytes_; }
    std::size_t recv_bytes() const { return bytes_; }
    sonde::traffic traffic() const { return share(bytes_, 1); }
    void invoke(call_arguments a) const {
#if SONDE_SHMEM_TEAMS
        shmem_broadcastmem(team_, a.dest, a.source, bytes_, root_);
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_broadcast32 : shmem_broadcast64;
        call(a.dest, a.source, n_, root_, set_.start, set_.log_stride, set_.size, a.sync);
#endif
    }

private:
    int root_;
};

/// shmem_collect32 or shmem_collect64 (shmem_collectmem): every PE receives the elements of all PEs, of which each has
/// its own number, `n`; `total` is their sum.
template <CollectiveElement T>
struct collect : detail::collective_operation {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_collect32" : "shmem_collect64";
    static constexpr bool synchronizes = true;

    collect(group_ref ranks, std::size_t n, std::size_t total)
        : collective_operation{ranks, n, sizeof(T)}, total_{total * sizeof(T)} {}

    std::size_t send_bytes() const { return bytes_; }
    std::size_t recv_bytes() const { return total_; }
    sonde::traffic traffic() const { return share(total_, remote_fraction()); }
    void invoke(call_arguments a) const {
#if SONDE_SHMEM_TEAMS
        shmem_collectmem(team_, a.dest, a.source, bytes_);
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_collect32 : shmem_collect64;
        call(a.dest, a.source, n_, set_.start, set_.log_stride, set_.size, a.sync);
#endif
    }

private:
    std::size_t total_; // bytes
};

/// shmem_fcollect32 or shmem_fcollect64 (shmem_fcollectmem): every PE receives the `n` elements of every PE.
template <CollectiveElement T>
struct fcollect : detail::collective_operation {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_fcollect32" : "shmem_fcollect64";
    static constexpr bool synchronizes = true;

    fcollect(group_ref ranks, std::size_t n) : collective_operation{ranks, n, sizeof(T)} {}

    std::size_t send_bytes() const { return bytes_; }
    std::size_t recv_bytes() const { return ranks() * bytes_; }
    sonde::traffic traffic() const { return share(recv_bytes(), remote_fraction()); }
    void invoke(call_arguments a) const {
#if SONDE_SHMEM_TEAMS
        shmem_fcollectmem(team_, a.dest, a.source, bytes_);
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_fcollect32 : shmem_fcollect64;
        call(a.dest, a.source, n_, set_.start, set_.log_stride, set_.size, a.sync);
#endif
    }
};

/// shmem_alltoall32 or shmem_alltoall64 (shmem_alltoallmem): every PE receives `n` elements of every PE, each meant for
/// it alone.
template <CollectiveElement T>
struct alltoall : detail::collective_operation {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_alltoall32" : "shmem_alltoall64";
    static constexpr bool synchronizes = true;

    alltoall(group_ref ranks, std::size_t n) : collective_operation{ranks, n, sizeof(T)} {}

    std::size_t send_bytes() const { return ranks() * bytes_; }
    std::size_t recv_bytes() const { return ranks() * bytes_; }
    sonde::traffic traffic() const { return share(recv_bytes(), remote_fraction()); }
    void invoke(call_arguments a) const {
#if SONDE_SHMEM_TEAMS
        shmem_alltoallmem(team_, a.dest, a.source, bytes_);
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_alltoall32 : shmem_alltoall64;
        call(a.dest, a.source, n_, set_.start, set_.log_stride, set_.size, a.sync);
#endif
    }
};

/// shmem_alltoalls32 or shmem_alltoalls64 (shmem_alltoallsmem): as alltoall, with elements that lie `dest_stride` and
/// `source_stride` elements apart. Throws std::invalid_argument for a stride below 1.
template <CollectiveElement T>
struct alltoalls : detail::collective_operation {
    static constexpr auto name = sizeof(T) == 4 ? "shmem_alltoalls32" : "shmem_alltoalls64";
    static constexpr bool synchronizes = true;

    alltoalls(group_ref ranks, std::size_t n, std::ptrdiff_t dest_stride, std::ptrdiff_t source_stride)
        : collective_operation{ranks, n, sizeof(T)}, dest_stride_{dest_stride}, source_stride_{source_stride} {
        if (dest_stride < 1 || source_stride < 1)
            throw std::invalid_argument{"sonde::shmem: a stride of shmem_alltoalls is at least 1"};
    }

    std::size_t send_bytes() const { return span(source_stride_); }
    std::size_t recv_bytes() const { return span(dest_stride_); }
    sonde::traffic traffic() const { return share(ranks() * bytes_, remote_fraction()); }
    void invoke(call_arguments a) const {
#if SONDE_SHMEM_TEAMS
        auto const call = [](auto... arguments) {
            if constexpr (sizeof(T) == 4) shmem_float_alltoalls(arguments...);
            else shmem_double_alltoalls(arguments...);
        };
        using element = std::conditional_t<sizeof(T) == 4, float, double>; // only its size counts
        call(team_, reinterpret_cast<element*>(a.dest), reinterpret_cast<element const*>(a.source), dest_stride_,
             source_stride_, n_);
#else
        constexpr auto call = sizeof(T) == 4 ? shmem_alltoalls32 : shmem_alltoalls64;
        call(a.dest, a.source, dest_stride_, source_stride_, n_, set_.start, set_.log_stride, set_.size, a.sync);
#endif
    }

private:
    /// Bytes from the first to the last element of all blocks.
    std::size_t span(std::ptrdiff_t stride) const {
        return ((ranks() * n_ - 1) * static_cast<std::size_t>(stride) + 1) * sizeof(T);
    }

    std::ptrdiff_t dest_stride_;
    std::ptrdiff_t source_stride_;
};

// Call mode.

namespace detail {

/// The buffer itself, after a check that each of its regions is symmetric: `next` then returns the first region again.
/// Throws std::invalid_argument for a region of which PE `pe` has no counterpart.
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
template <CollectiveOperation Op>
struct work_arrays {
    explicit work_arrays(Op const&) {}
    call_arguments next(std::byte* source, std::byte* dest) { return {source, dest, nullptr, nullptr}; }
    void release() {}
};

#else

/// Symmetric work arrays (pSync, pWrk) of an operation. A call must not use arrays that a PE may still use in an
/// earlier call: an operation that waits for all PEs needs two sets in turn. In any other one, the root may run ahead,
/// so that there are more sets, and the PEs wait for each other before the first set is used again.
template <CollectiveOperation Op>
class work_arrays {
public:
    explicit work_arrays(Op const& operation)
        : set_{operation.pes()}, work_size_{(operation.work_bytes() + 63) / 64 * 64},
          sync_{(turns + 1) * SHMEM_SYNC_SIZE, SHMEM_SYNC_VALUE}, work_{turns * work_size_} {}

    call_arguments next(std::byte* source, std::byte* dest) {
        if (turn_ == turns) {
            if constexpr (!Op::synchronizes) wait_for_all();
            turn_ = 0;
        }
        auto const turn = turn_++;
        return {source, dest, sync_.elements().data() + turn * SHMEM_SYNC_SIZE,
                work_.elements().data() + turn * work_size_};
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
/// The operation sends from `out` and receives into `in`, or has one buffer for both, where OpenSHMEM allows that
/// (broadcast, reduce); a barrier has none. Before OpenSHMEM 1.5, constructor and destructor take and free memory of
/// the symmetric heap: they are collective over all PEs. A broadcast waits for no PE but the root: there, the PEs of
/// the set wait for each other after each sample, and in a sample after every 64th iteration. Throws std::length_error
/// for a region that is smaller than the operation's send or receive buffer on this PE, std::invalid_argument for one
/// that is not symmetric, heap_exhausted.
template <CollectiveOperation Op, Buffer Out = slice, Buffer In = Out>
class blocking {
public:
    blocking(Op operation, Out out, In in)
        : operation_{std::move(operation)}, out_{detail::require_symmetric_buffer(std::move(out), first_pe())},
          in_{detail::require_symmetric_buffer(std::move(in), first_pe())}, arrays_{operation_} {
        std::string call = "sonde::shmem: ";
        call += Op::name; // g++ 12 -O1 warns of the sum of both
        sonde::detail::require_bytes(call, "sends from", operation_.send_bytes(), out_.size());
        sonde::detail::require_bytes(call, "receives into", operation_.recv_bytes(), in_.size());
    }
    explicit blocking(Op operation, Out both = {})
        requires std::same_as<Out, In>
        : blocking{std::move(operation), both, both} {}

    void operator()() { operation_.invoke(arrays_.next(out_.next().data(), in_.next().data())); }
    void after_sample(auto const&, auto const&) { arrays_.release(); }
    sonde::traffic traffic() const { return operation_.traffic(); }

private:
    int first_pe() const { return operation_.pes().pe(0); }

    Op operation_;
    Out out_;
    In in_;
    detail::work_arrays<Op> arrays_;
};
template <class Op>
blocking(Op) -> blocking<Op>;

} // namespace sonde::shmem
