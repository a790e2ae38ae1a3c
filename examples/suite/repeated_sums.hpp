// SPDX-License-Identifier: BSL-1.0
// Whether a reduction gives the same bits again, and on all ranks: of numbers whose sum depends on the order.
#pragma once

#include "suite/contents.hpp"

#include <sonde/collective.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace suite {

/// Write the contribution of a rank: floating-point numbers of both signs between 2^-12 and 2^12, so that the rounded
/// sum of three or more ranks depends on the order of the additions.
void write_rounded(sonde::region bytes, element kind, int rank);

/// True if any of the blocks that a rank expects has bytes: of a reduction to a root, that is on the root alone.
bool has_bytes(std::vector<sonde::expected_block> const& blocks);

/// The bytes of the expected blocks of a receive buffer, one block after the other.
std::vector<std::byte> bytes_of_blocks(sonde::region received, std::vector<sonde::expected_block> const& blocks);

/// A reduction of the same contributions, again and again.
struct repeated_reduction {
    std::function<void()> prepare;                  // writes the contributions and clears the results
    std::function<void()> call;                     // one reduction
    std::function<std::vector<std::byte>()> result; // of this rank; empty if it gets none
    bool is_same_on_all;                            // all ranks get the same sums
    std::vector<int> names{};                       // of the group's ranks, if they have others in texts
};

/// Compare the results of a number of runs. In each run another rank comes late, since the order of additions may
/// depend on the order of arrival. Returns the same texts on all ranks: none if all bits are equal. Collective over the
/// group.
std::vector<std::string> compare_runs(sonde::mpi::group& world, repeated_reduction const& of, std::size_t runs);

} // namespace suite
