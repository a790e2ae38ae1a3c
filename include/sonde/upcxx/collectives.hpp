// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/upcxx/group.hpp>
#include <sonde/upcxx/memory.hpp>

#include <upcxx/upcxx.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// Collectives of UPC++ (1.0, chapter 12): barrier, broadcast, reduce_one and reduce_all. UPC++ has had no gather,
// allgather, scatter and alltoall since version 1.0: here they are puts into the receive buffers of other ranks, and a
// barrier. A rank that has returned from one of these must not read its results after another rank may have called the
// next one on the same buffer.

namespace sonde::inline v0_1::upcxx {

/// A collective operation of UPC++: a sonde::CollectiveOperation with
///
///     op.invoke(arguments, targets)    the call; `targets`: the receive buffer of each rank, if Op::puts
///     Op::puts                         constant bool: it puts into receive buffers, which are in shared segments
///     op.members()                     its group
template <class Op>
concept TeamOperation = InvocableOperation<Op, std::span<global_region const>> && requires(Op const& op) {
    { Op::puts } -> std::convertible_to<bool>;
    { op.members() } -> std::convertible_to<group const&>;
};

// Operations of reductions.
using reductions::bit_and, reductions::bit_or, reductions::bit_xor;
using reductions::sum, reductions::prod, reductions::min, reductions::max;

namespace detail {

/// This rank in its group.
struct member : group_member {
    group const* ranks;

    explicit member(group_ref in) : group_member{in.get().rank(), in.get().size(), "sonde::upcxx"}, ranks{&in.get()} {}
};

struct byte_block {
    std::size_t n;

    std::size_t bytes() const { return n; }
};
using blocks = uniform_blocks<byte_block>;

/// What every operation of UPC++ has besides its data; `Base` is a base of <sonde/collective/operations.hpp>.
template <class Base, bool Puts>
class operation_on : public Base {
public:
    static constexpr bool puts = Puts;

    group const& members() const { return *this->member_.ranks; }

protected:
    using Base::Base;

    ::upcxx::team const& team() const { return members().team(); }

    /// `n` bytes from `from` to offset `at` of the receive buffer of a rank; without a wait.
    static void put(std::byte const* from, std::span<global_region const> targets, std::size_t rank, std::size_t at,
                    std::size_t n, ::upcxx::promise<>& all) {
        ::upcxx::rput(from, targets[rank].subspan(at, n).data, n, ::upcxx::operation_cx::as_promise(all));
    }
    /// Waits for the puts of this rank, and then for all ranks.
    void complete(::upcxx::promise<>& all) const {
        all.finalize().wait();
        ::upcxx::barrier(team());
    }
};

/// The function object of a reduction.
inline auto function_of(sum) { return ::upcxx::op_fast_add; }
inline auto function_of(prod) { return ::upcxx::op_fast_mul; }
inline auto function_of(min) { return ::upcxx::op_fast_min; }
inline auto function_of(max) { return ::upcxx::op_fast_max; }
inline auto function_of(bit_and) { return ::upcxx::op_fast_bit_and; }
inline auto function_of(bit_or) { return ::upcxx::op_fast_bit_or; }
inline auto function_of(bit_xor) { return ::upcxx::op_fast_bit_xor; }

template <class Op>
inline constexpr bool is_bitwise = std::same_as<Op, bit_and> || std::same_as<Op, bit_or> || std::same_as<Op, bit_xor>;

} // namespace detail

/// A reduction that UPC++ makes without a function of the user: sum, prod, min and max of arithmetic types, bit_and,
/// bit_or and bit_xor of integers.
template <class T, class Op>
concept Reduction = std::is_arithmetic_v<T> && !std::same_as<T, bool> && requires { detail::function_of(Op{}); } &&
                    (std::integral<T> || !detail::is_bitwise<Op>);

// Operations. Constructors throw std::invalid_argument for a root that is not a rank of the group, which must outlive
// the operation.

/// upcxx::barrier.
struct barrier : detail::operation_on<barrier_base<detail::member>, false> {
    static constexpr auto name = "upcxx::barrier";

    explicit barrier(group_ref ranks) : operation_on{detail::member{ranks}} {}
    void invoke(call_arguments, std::span<global_region const>) const { ::upcxx::barrier(team()); }
};

/// upcxx::broadcast: all ranks receive the root's `bytes` bytes, in one buffer.
struct broadcast : detail::operation_on<broadcast_base<detail::member, int, detail::blocks>, false> {
    static constexpr auto name = "upcxx::broadcast";

    broadcast(group_ref ranks, std::size_t bytes, int root = 0)
        : operation_on{detail::member{ranks}, detail::byte_block{bytes}, root, in_place} {}
    void invoke(call_arguments a, std::span<global_region const>) const {
        ::upcxx::broadcast(a.recvbuf, all_.span(), a.root, team()).wait();
    }
};

/// upcxx::reduce_one: the root receives the reduction over all ranks of `n` elements: `reduce_one<float, sum>{world,
/// n}`.
template <class T, class Op>
    requires Reduction<T, Op>
struct reduce_one : detail::operation_on<reduction_base<detail::member, int, detail::blocks>, false> {
    static constexpr auto name = "upcxx::reduce_one";

    reduce_one(group_ref ranks, std::size_t n, int root = 0)
        : operation_on{detail::member{ranks}, detail::byte_block{n * sizeof(T)}, 1, root, placement::out_of_place},
          n_{n} {}
    void invoke(call_arguments a, std::span<global_region const>) const {
        ::upcxx::reduce_one(reinterpret_cast<T const*>(a.sendbuf), reinterpret_cast<T*>(a.recvbuf), n_,
                            detail::function_of(Op{}), a.root, team())
            .wait();
    }

private:
    std::size_t n_;
};

/// upcxx::reduce_all: every rank receives the reduction.
template <class T, class Op>
    requires Reduction<T, Op>
struct reduce_all : detail::operation_on<reduction_base<detail::member, no_root, detail::blocks>, false> {
    static constexpr auto name = "upcxx::reduce_all";

    reduce_all(group_ref ranks, std::size_t n)
        : operation_on{detail::member{ranks}, detail::byte_block{n * sizeof(T)}, 1, {}, placement::out_of_place},
          n_{n} {}
    sonde::traffic traffic() const { return share_with_all(); }
    void invoke(call_arguments a, std::span<global_region const>) const {
        ::upcxx::reduce_all(reinterpret_cast<T const*>(a.sendbuf), reinterpret_cast<T*>(a.recvbuf), n_,
                            detail::function_of(Op{}), team())
            .wait();
    }

private:
    std::size_t n_;
};

/// The root receives a block of `bytes` bytes of every rank, each of which puts its block there.
struct gather : detail::operation_on<gather_base<detail::member, int, detail::blocks>, true> {
    static constexpr auto name = "gather by upcxx::rput";

    gather(group_ref ranks, std::size_t bytes, int root = 0)
        : operation_on{detail::member{ranks}, detail::byte_block{bytes}, root, placement::out_of_place} {}
    void invoke(call_arguments a, std::span<global_region const> targets) const {
        ::upcxx::promise<> all;
        put(a.sendbuf, targets, static_cast<std::size_t>(a.root), all_.offset(self()), all_.span(0), all);
        complete(all);
    }
};

/// Every rank receives a block of `bytes` bytes of every rank, each of which puts its block to all.
struct allgather : detail::operation_on<gather_base<detail::member, no_root, detail::blocks>, true> {
    static constexpr auto name = "allgather by upcxx::rput";

    allgather(group_ref ranks, std::size_t bytes)
        : operation_on{detail::member{ranks}, detail::byte_block{bytes}, {}, placement::out_of_place} {}
    void invoke(call_arguments a, std::span<global_region const> targets) const {
        ::upcxx::promise<> all;
        for (std::size_t to = 0; to != ranks(); ++to)
            put(a.sendbuf, targets, to, all_.offset(self()), all_.span(0), all);
        complete(all);
    }
};

/// Every rank receives its block of `bytes` bytes of the root, which puts them.
struct scatter : detail::operation_on<scatter_base<detail::member, int, detail::blocks>, true> {
    static constexpr auto name = "scatter by upcxx::rput";

    scatter(group_ref ranks, std::size_t bytes, int root = 0)
        : operation_on{detail::member{ranks}, detail::byte_block{bytes}, root, placement::out_of_place} {}
    void invoke(call_arguments a, std::span<global_region const> targets) const {
        ::upcxx::promise<> all;
        for (std::size_t to = 0; is_root(a.root) && to != ranks(); ++to)
            put(a.sendbuf + all_.offset(to), targets, to, 0, all_.span(0), all);
        complete(all);
    }
};

/// Every rank puts a different block of `bytes` bytes to each rank.
struct alltoall : detail::operation_on<alltoall_base<detail::member, detail::blocks>, true> {
    static constexpr auto name = "alltoall by upcxx::rput";

    alltoall(group_ref ranks, std::size_t bytes)
        : operation_on{detail::member{ranks}, detail::byte_block{bytes}, detail::byte_block{bytes},
                       placement::out_of_place} {}
    void invoke(call_arguments a, std::span<global_region const> targets) const {
        ::upcxx::promise<> all;
        for (std::size_t to = 0; to != ranks(); ++to)
            put(a.sendbuf + out_.offset(to), targets, to, in_.offset(self()), in_.span(0), all);
        complete(all);
    }
};

/// One call of an operation in each iteration: `blocking{allgather{world, n}, out, in}`.
///
/// The operation sends from `out` and receives into `in`; a broadcast has one buffer, a barrier none. For an operation
/// of puts the regions of `in` are in shared segments, and the constructor is collective over the group, because every
/// rank learns where they are. Throws std::length_error for a region that is smaller than the operation's send or
/// receive buffer on this rank, and std::invalid_argument, on all ranks, for a region outside the shared segment.
template <class Op, class Out = slice, class In = Out>
class blocking : public bound_operation<Op, Out, In, TeamOperation<Op>> {
public:
    blocking(Op operation, Out out, In in)
        : blocking::bound_operation{"sonde::upcxx", operation, std::move(out), in},
          targets_{targets_of(operation, std::move(in))}, ranks_{static_cast<std::size_t>(operation.group_size())} {}
    explicit blocking(Op operation, Out both = {})
        requires std::same_as<Out, In>
        : blocking{std::move(operation), both, both} {}

    void operator()() {
        auto const arguments = this->next();
        if constexpr (!Op::puts) {
            this->operation_.invoke(arguments, std::span<global_region const>{});
        } else {
            this->operation_.invoke(arguments, std::span<global_region const>{targets_.data() + turn_, ranks_});
            turn_ = turn_ + ranks_ == targets_.size() ? 0 : turn_ + ranks_;
        }
    }

private:
    /// The receive buffers of all ranks, for each region of the buffer.
    static std::vector<global_region> targets_of(Op const& operation, In in) {
        std::vector<global_region> all;
        if constexpr (Op::puts)
            for (auto i = sonde::regions(in); i != 0; --i)
                for (auto const& each : global_regions(operation.members(), in.next())) all.push_back(each);
        return all;
    }

    std::vector<global_region> targets_;
    std::size_t ranks_;
    std::size_t turn_ = 0;
};
template <class Op>
blocking(Op) -> blocking<Op>;

} // namespace sonde::upcxx
