// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The parts of collective operations that MPI, NCCL, OpenSHMEM and UPC++ share. A backend adds its operations, each
// with the call of its library (collective/operations.hpp has base classes), and the library's call modes, which are
// classes derived from bound_operation.

namespace sonde::inline v0_1 {

/// Buffers of a collective operation: a send buffer and a receive buffer, or one buffer for both (MPI_IN_PLACE).
enum class placement : unsigned char { out_of_place, in_place };
/// Short for `placement::in_place`.
inline constexpr auto in_place = placement::in_place;

/// The root of a collective operation: a fixed rank, or a root that starts at rank 0 and moves to the next rank in each
/// iteration.
struct root_rank {
    int rank;     // of the first iteration
    bool rotates; // moves to the next rank in each iteration
    constexpr root_rank(int first = 0, bool turns = false) : rank{first}, rotates{turns} {}
    /// A root that begins at rank 0 and moves to the next rank in each iteration.
    static constexpr root_rank rotating() { return {0, true}; }
};

/// Operations of reductions, for libraries whose calls have them as types: `shmem::reduce<float, shmem::sum>`.
namespace reductions {
struct sum {};
struct prod {};
struct min {};
struct max {};
struct bit_and {};
struct bit_or {};
struct bit_xor {};
} // namespace reductions

/// The arguments of a call that change from iteration to iteration.
struct call_arguments {
    std::byte* sendbuf; // send buffer of this rank
    std::byte* recvbuf; // receive buffer of this rank
    int root;           // of this iteration
};

/// The destination of bytes that all ranks receive.
inline constexpr int all_ranks = -1;

/// Bytes that a rank contributes to one rank, or alike to all ranks. They are in its send buffer or, in place, in its
/// receive buffer. `source_offset` is their offset within the rank's whole contribution to that destination.
struct contribution {
    std::size_t offset;          // in the buffer, in bytes
    std::size_t bytes;           // number of bytes
    int destination = all_ranks; // rank, or `all_ranks`
    bool in_recvbuf = false;     // in place: in the receive buffer
    std::size_t source_offset = 0;
};

/// Bytes that a rank finds in its receive buffer after the operation: the contribution of one rank, or the reduction,
/// in rank order, of the contributions of ranks `first_source` to `last_source`. `destination` names the contributions
/// that count (`contribution::destination`); `source_offset` is the offset of the bytes within each of them.
struct expected_block {
    std::size_t offset; // in the receive buffer, in bytes
    std::size_t bytes;  // number of bytes
    int first_source;
    int last_source;
    int destination = all_ranks;
    std::size_t source_offset = 0;
};

/// One collective operation as this rank calls it, without buffers: a value. Its group must outlive it.
///
///     Op::name                            name of the call, for messages
///     op.send_bytes()                     minimum size of this rank's send buffer; 0 if it is not used
///     op.recv_bytes()                     minimum size of its receive buffer; 0 if it is not used
///     op.contributions(root)              bytes that this rank contributes; for datatypes without gaps
///     op.expected_blocks(root)            bytes that this rank must find in its receive buffer afterwards
///     op.traffic() -> traffic             bytes of the operation, shared by its ranks; bus-bandwidth factor
template <class Op>
concept CollectiveOperation = requires(Op const& op) {
    { Op::name } -> std::convertible_to<char const*>;
    { op.send_bytes() } -> std::convertible_to<std::size_t>;
    { op.recv_bytes() } -> std::convertible_to<std::size_t>;
    { op.contributions(0) } -> std::convertible_to<std::vector<contribution>>;
    { op.expected_blocks(0) } -> std::convertible_to<std::vector<expected_block>>;
    { op.traffic() } -> std::convertible_to<traffic>;
};

/// A collective operation with the call of a backend:
///
///     op.invoke(arguments, how...)        makes the call; `how`: arguments that the call mode adds, such as a
///                                         function and a request of MPI, or a communicator and a stream of NCCL
template <class Op, class... How>
concept InvocableOperation =
    CollectiveOperation<Op> && requires(Op const& op, call_arguments a, How... how) { op.invoke(a, how...); };

/// A collective operation with a root: `op.root()` is a rank, or a root_rank, which may rotate over the
/// `op.group_size()` ranks.
template <class Op>
concept RootedOperation = CollectiveOperation<Op> && requires(Op const& op) {
    { op.root() } -> std::convertible_to<root_rank>;
    { op.group_size() } -> std::convertible_to<int>;
};

namespace detail {

/// Use of a region by an operation, for messages: "sonde::mpi", "MPI_Bcast", "sends from".
struct region_use {
    char const* library;
    char const* operation;
    char const* use;
};

/// Throws std::length_error unless a region has the bytes that its use needs.
inline void require_bytes(region_use const& of, std::size_t needed, std::size_t available) {
    if (available >= needed) return;
    std::string text = of.library;
    text += ": "; // g++ 12 -O1 warns about a single sum of all parts
    text += of.operation;
    text += ' ';
    text += of.use;
    throw std::length_error{text + ' ' + std::to_string(needed) + " bytes, the region has " +
                            std::to_string(available)};
}

/// Throws std::invalid_argument unless the root is a rank.
inline void require_root(char const* library, int root, int ranks) {
    if (root < 0 || root >= ranks)
        throw std::invalid_argument{std::string{library} + ": root " + std::to_string(root) +
                                    " is none of the ranks 0 to " + std::to_string(ranks - 1)};
}

} // namespace detail

/// Base class of the call modes: an operation bound to its buffers. `library` is the beginning of messages, such as
/// "sonde::mpi". Throws std::length_error for a region that is smaller than the operation's send or receive buffer on
/// this rank.
///
/// `is_operation`: true if Op models the concept of the call mode's library. Call modes have no constraints, because a
/// compiler reports a failed constraint first as a failure to deduce the arguments of the class.
template <class Op, class Out, class In, bool is_operation = CollectiveOperation<Op>>
class bound_operation {
    static_assert(is_operation,
                  "the first argument is no collective operation of this library: a member is missing or of another "
                  "type; static_assert(sonde::CollectiveOperation<my_operation>), then that of the library, shows it");
    static_assert(Buffer<Out> && Buffer<In>, SONDE_NO_BUFFER);
    static constexpr bool may_rotate = RootedOperation<Op> && requires(Op const& op) { op.root().rotates; };

public:
    /// The operation that is called.
    Op const& operation() const { return operation_; }
    sonde::traffic traffic() const { return operation_.traffic(); }
    /// The root is equal on all ranks.
    sonde::requirements requirements() const {
        if constexpr (RootedOperation<Op>) {
            root_rank const root = operation_.root();
            return {.root = root.rotates ? -1 : root.rank};
        } else {
            return {};
        }
    }

protected:
    bound_operation(char const* library, Op operation, Out out, In in)
        : operation_{std::move(operation)}, out_{std::move(out)}, in_{std::move(in)} {
        detail::require_bytes({library, Op::name, "sends from"}, operation_.send_bytes(), out_.size());
        detail::require_bytes({library, Op::name, "receives into"}, operation_.recv_bytes(), in_.size());
        if constexpr (RootedOperation<Op>) root_ = operation_.root();
    }

    /// The next regions, and the next root.
    call_arguments next() {
        auto const root = root_.rank;
        if constexpr (may_rotate)
            if (root_.rotates) root_.rank = root + 1 == operation_.group_size() ? 0 : root + 1;
        return {out_.next().data(), in_.next().data(), root};
    }
    /// Number of iterations after which regions and root repeat: the least common multiple of their numbers. (std::lcm
    /// needs <numeric>, which takes a hundredth of the compile time of all of Sonde.)
    std::size_t period() const {
        std::size_t roots = 1;
        if constexpr (may_rotate)
            if (root_.rotates) roots = static_cast<std::size_t>(operation_.group_size());
        auto period = roots;
        while (period % sonde::regions(out_) != 0 || period % sonde::regions(in_) != 0) period += roots;
        return period;
    }

    Op operation_;

private:
    Out out_;
    In in_;
    root_rank root_{};
};

/// Write this rank's contributions to an operation with root `root` into its regions. `rank` is this rank.
/// `value(rank, destination, i) -> T` is element i of the contribution of a rank to `destination`, which is a rank or
/// `all_ranks`. For `prepare` of sonde::validate.
template <class T, CollectiveOperation Op, class Value>
void write_contributions(Op const& operation, int root, int rank, region out, region in, Value value) {
    for (auto const& c : operation.contributions(root)) {
        if (c.bytes == 0) continue; // its offset may lie beyond the region
        auto const here = (c.in_recvbuf ? in : out).subspan(c.offset, c.bytes);
        for (std::size_t i = 0; i != here.size() / sizeof(T); ++i) {
            T const v = value(rank, c.destination, c.source_offset / sizeof(T) + i);
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

} // namespace sonde
