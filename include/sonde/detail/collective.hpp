// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

// What the collectives of MPI and of NCCL share: it needs neither mpi.h nor nccl.h.

namespace sonde::detail {

/// Buffers of a collective operation: a send buffer and a receive buffer, or one buffer for both (MPI_IN_PLACE).
enum class buffers : unsigned char { out_of_place, in_place };

/// Base class of collective operations: the position of this rank in its group, and the choice of buffers.
class collective_base {
protected:
    collective_base(auto const& ranks, buffers used)
        : rank_{ranks.rank()}, size_{ranks.size()}, in_place_{used == buffers::in_place} {}

    std::size_t self() const { return static_cast<std::size_t>(rank_); }
    std::size_t ranks() const { return static_cast<std::size_t>(size_); }
    /// Traffic of one operation: the total number of bytes, which every rank reports, and the bus-bandwidth factor.
    traffic share(std::size_t bytes, double bus_factor) const { return {bytes, 1, 1, bus_factor, ranks()}; }
    /// Fraction of the data that other ranks hold: no link carries data from a rank to itself.
    double remote_fraction() const { return static_cast<double>(size_ - 1) / size_; }

    int rank_;
    int size_;
    bool in_place_;
};

/// Returns `root`. Throws std::invalid_argument unless it is a rank of a group of `size` ranks.
inline int require_root(char const* library, int root, int size) {
    if (root < 0 || root >= size)
        throw std::invalid_argument{std::string{library} + ": root " + std::to_string(root) +
                                    " is none of the ranks 0 to " + std::to_string(size - 1)};
    return root;
}

/// Throws std::length_error unless a region of `available` bytes holds the `needed` bytes of a call; `use` is "sends
/// from" or "receives into".
inline void require_bytes(std::string const& call, char const* use, std::size_t needed, std::size_t available) {
    if (available < needed)
        throw std::length_error{call + " " + use + " " + std::to_string(needed) + " bytes, the region has " +
                                std::to_string(available)};
}

} // namespace sonde::detail
