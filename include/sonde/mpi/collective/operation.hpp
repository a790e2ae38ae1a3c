// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/collective.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <vector>

// Persistent collectives are part of MPI-4; Open MPI 4.x has the same functions as an extension.
#if MPI_VERSION >= 4
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#define SONDE_MPI_INIT_FUNCTION(name) MPI_##name##_init, "MPI_" #name "_init"
#elif defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#define SONDE_MPI_INIT_FUNCTION(name) MPIX_##name##_init, "MPIX_" #name "_init"
#endif
#endif
#ifndef SONDE_MPI_PERSISTENT_COLLECTIVES
#define SONDE_MPI_PERSISTENT_COLLECTIVES 0
#define SONDE_MPI_INIT_FUNCTION(name) nullptr, ""
#endif

/// The functions of one collective: SONDE_MPI_FUNCTIONS(Allreduce, Iallreduce).
#define SONDE_MPI_FUNCTIONS(name, iname)                                                                               \
    sonde::mpi::collective_functions {                                                                                 \
        MPI_##name, "MPI_" #name, MPI_##iname, "MPI_" #iname, SONDE_MPI_INIT_FUNCTION(name)                            \
    }

namespace sonde::mpi {

/// The functions of one collective in the MPI library, and their names. `init` is null where the library has no
/// persistent collectives.
template <class Blocking, class Nonblocking, class Init>
struct collective_functions {
    Blocking blocking;
    char const* blocking_name;
    Nonblocking nonblocking;
    char const* nonblocking_name;
    Init init;
    char const* init_name;
};
template <class Blocking, class Nonblocking, class Init>
collective_functions(Blocking, char const*, Nonblocking, char const*, Init, char const*)
    -> collective_functions<Blocking, Nonblocking, Init>;

using sonde::detail::buffers;
inline constexpr auto in_place = buffers::in_place;

/// The root of a collective operation: a fixed rank, or each rank in turn from 0 on, a new one in each iteration.
struct root_rank {
    int rank;
    bool rotates;
    constexpr root_rank(int first = 0, bool rotating = false) : rank{first}, rotates{rotating} {}
    static constexpr root_rank rotating() { return {0, true}; }
};

/// The arguments of a call that change from iteration to iteration.
struct call_arguments {
    void* sendbuf;
    void* recvbuf;
    int root;
};

/// The destination of bytes that all ranks receive.
inline constexpr int all_ranks = -1;

/// Bytes that a rank contributes, in its send buffer or (in place) in its receive buffer: to one rank, or the same
/// bytes to all ranks.
struct contribution {
    std::size_t offset;
    std::size_t bytes;
    int destination = all_ranks;
    bool in_recvbuf = false;
};

/// Bytes that a rank finds in its receive buffer after the operation: the contribution of one rank, or the reduction,
/// in rank order, of the contributions of ranks `first_source` to `last_source`. `destination` names the contributions
/// that count (`contribution::destination`); `source_offset` is the offset of the bytes within each of them.
struct expected_block {
    std::size_t offset;
    std::size_t bytes;
    int first_source;
    int last_source;
    int destination = all_ranks;
    std::size_t source_offset = 0;
};

/// One collective operation as this rank calls it, without buffers: a value. Its group must outlive it.
///
///     op.send_bytes()                     minimum size of this rank's send buffer; 0 if it is not used
///     op.recv_bytes()                     the same of its receive buffer
///     op.contributions(root)              bytes that this rank contributes; for datatypes without gaps
///     op.expected_blocks(root)            bytes that this rank must find in its receive buffer afterwards
///     op.traffic() -> traffic               bytes of the operation, shared by its ranks; bus-bandwidth factor
///     op.invoke(f, arguments, more...)    f(the arguments of the MPI function, more...) -> int
///     Op::functions                       the functions of the MPI library: `collective_functions`
template <class Op>
concept CollectiveOperation = requires(Op const& op, call_arguments a) {
    Op::functions.blocking_name;
    { op.send_bytes() } -> std::convertible_to<std::size_t>;
    { op.recv_bytes() } -> std::convertible_to<std::size_t>;
    { op.contributions(0) } -> std::convertible_to<std::vector<contribution>>;
    { op.expected_blocks(0) } -> std::convertible_to<std::vector<expected_block>>;
    { op.traffic() } -> std::convertible_to<traffic>;
    op.invoke(Op::functions.blocking, a);
};

/// A collective operation with a root, `op.root()`, which is one of `op.group_size()` ranks.
template <class Op>
concept RootedOperation = CollectiveOperation<Op> && requires(Op const& op) {
    { op.root() } -> std::convertible_to<root_rank>;
    { op.group_size() } -> std::convertible_to<int>;
};

namespace detail {

/// Base class of operations: this rank in the group, on the group's communicator. In an operation without a root, every
/// rank is one. Throws std::invalid_argument for a root that is not a rank of the group.
template <bool Rooted>
class basic_operation : protected sonde::detail::collective_base {
public:
    root_rank root() const
        requires Rooted
    {
        return root_;
    }
    int group_size() const { return size_; }

protected:
    basic_operation(group const& ranks, root_rank root, buffers used)
        : collective_base{ranks, used}, comm_{ranks.comm()}, root_{root} {
        sonde::detail::require_root("sonde::mpi", root.rank, size_);
    }

    bool is_root(int root) const { return !Rooted || rank_ == root; }
    bool is_ever_root() const { return root_.rotates || is_root(root_.rank); }
    bool is_in_place(int root) const { return in_place_ && is_root(root); }
    bool is_always_in_place() const { return !root_.rotates && is_in_place(root_.rank); }
    void const* sendbuf(call_arguments const& a) const { return is_in_place(a.root) ? MPI_IN_PLACE : a.sendbuf; }
    /// A callable f: f(first...) is function(first..., root if there is one, communicator, more...).
    auto with_last_arguments(auto function, call_arguments const& a, auto... more) const {
        return [=, this](auto... first) {
            if constexpr (Rooted) return function(first..., a.root, comm_, more...);
            else return function(first..., comm_, more...);
        };
    }

    MPI_Comm comm_;

private:
    root_rank root_;
};
using rooted_operation = basic_operation<true>;
using rootless_operation = basic_operation<false>;

} // namespace detail

/// Write the contributions of this rank, `rank`, to an operation with this root into its regions.
/// `value(rank, destination, i) -> T` is element i of the contribution of a rank to `destination`, which is a rank or
/// `all_ranks`. For `prepare` of sonde::validate.
template <class T, CollectiveOperation Op, class Value>
void write_contributions(Op const& operation, int root, int rank, region out, region in, Value value) {
    for (auto const& c : operation.contributions(root)) {
        auto const here = (c.in_recvbuf ? in : out).subspan(c.offset, c.bytes);
        for (std::size_t i = 0; i != here.size() / sizeof(T); ++i) {
            T const v = value(rank, c.destination, i);
            std::memcpy(here.data() + i * sizeof(T), &v, sizeof(T));
        }
    }
}

/// Call `visit(i, expected, actual)` for each element that this rank received; i counts elements of the region.
/// `combine(a, b) -> T` is the operation of a reduction; it is applied in rank order. For `verify` of sonde::validate.
template <class T, CollectiveOperation Op, class Value, class Combine, class Visit>
void for_each_received(Op const& operation, int root, region in, Value value, Combine combine, Visit visit) {
    for (auto const& b : operation.expected_blocks(root)) {
        for (std::size_t i = 0; i != b.bytes / sizeof(T); ++i) {
            auto const at = b.offset + i * sizeof(T);
            auto const element = b.source_offset / sizeof(T) + i;
            T expected = value(b.first_source, b.destination, element), actual{};
            for (int rank = b.first_source + 1; rank <= b.last_source; ++rank)
                expected = combine(expected, value(rank, b.destination, element));
            std::memcpy(&actual, in.data() + at, sizeof(T));
            visit(at / sizeof(T), expected, actual);
        }
    }
}

} // namespace sonde::mpi
