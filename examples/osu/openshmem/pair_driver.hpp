// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/openshmem/openshmem_driver.hpp"
#include "osu/openshmem/openshmem_transfers.hpp"

#include <cstddef>

namespace osu::openshmem {

/// Largest size of the programs of two PEs, by default and in global arrays.
inline constexpr std::size_t largest_of_pair = std::size_t{1} << 20;

/// Options of the programs of two PEs. OMB's have none.
inline constexpr auto pair_options = (common_options | validation_options) - option_name::session;

/// Iterations of the programs of two PEs. OMB reads its clock before the first and after the last one.
inline constexpr sweep_plan pair_plan{
    .iterations = 10'000, .warmup = 1'000, .large = {100, 0}, .synchronize = before_each_size, .samples = 100};

/// Driver of transfers between two PEs: a region to send from and a region to receive into on each.
class pair_driver : public openshmem_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the largest size. Collective over the group.
    explicit pair_driver(invocation const& from);

    /// Regions of a transfer of one size, initialized as in OMB: PE 0 puts its data to the other PE, or gets that PE's.
    transfer_regions regions(point const& at, transfer which) const;

private:
    symmetric_buffer sent_;
    symmetric_buffer received_;
};

} // namespace osu::openshmem
