// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/nccl/error.hpp>
#include <sonde/nccl/message.hpp>
#include <sonde/pattern.hpp>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace sonde::nccl {

/// So many elements of a type, one after the other: what an operation moves to, or from, one rank.
struct block {
    ncclDataType_t type = ncclChar;
    std::size_t count = 0;

    std::size_t bytes() const { return count * size_of(type); }
};

/// Where what a rank sends lies: in a region of its own, or where NCCL wants it for the result to take its place.
enum class buffers : unsigned char { apart, in_place };
inline constexpr auto in_place = buffers::in_place;

/// What changes from iteration to iteration.
struct turn {
    std::byte* out;
    std::byte* in;
};

/// One collective operation as this rank sees it, without buffers: a value of four hooks.
///
///     k.sends(), k.receives()        bytes that the regions of this rank have at least; 0: not looked at
///     k.moves() -> traffic           bytes of the operation, shared by its ranks; bus-bandwidth factor
///     k.enqueue(turn, comm, stream)  the call, or calls, of NCCL
///     K::called                      its name
template <class K>
concept Collective = requires(K const& k, turn t, ncclComm_t comm, cudaStream_t stream) {
    { K::called } -> std::convertible_to<char const*>;
    { k.sends() } -> std::convertible_to<std::size_t>;
    { k.receives() } -> std::convertible_to<std::size_t>;
    { k.moves() } -> std::convertible_to<traffic>;
    k.enqueue(t, comm, stream);
};

namespace detail {

/// This rank among the others, and the block that all talk of.
class member {
protected:
    template <class Ranks>
    member(Ranks const& ranks, block each, buffers where)
        : rank_{ranks.rank()}, size_{ranks.size()}, each_{each}, bytes_{each.bytes()}, in_place_{where == in_place} {}

    std::size_t ranks() const { return static_cast<std::size_t>(size_); }
    std::size_t self() const { return static_cast<std::size_t>(rank_) * bytes_; }
    /// Traffic of an operation; `bytes` is the total, which all ranks report.
    traffic share(std::size_t bytes, double bus) const { return {bytes, 1, 1, bus, ranks()}; }
    /// The share of peers' data in all data: nothing moves from a rank to itself.
    double others() const { return static_cast<double>(size_ - 1) / size_; }
    /// Throws std::invalid_argument for a root that is no rank.
    int checked(int root) const {
        if (root < 0 || root >= size_)
            throw std::invalid_argument{"sonde::nccl: root " + std::to_string(root) + " is none of the ranks 0 to " +
                                        std::to_string(size_ - 1)};
        return root;
    }

    int rank_;
    int size_;
    block each_;
    std::size_t bytes_; // of the block
    bool in_place_;
};

} // namespace detail

} // namespace sonde::nccl
