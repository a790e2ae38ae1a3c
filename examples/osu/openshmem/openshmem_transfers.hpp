// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/openshmem/openshmem_driver.hpp"

#include "suite/launch.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem/transfers.hpp>

#include <cstddef>

namespace osu::openshmem {

/// Transfers of the programs, named like their calls.
enum class transfer : unsigned char { put, get, put_nbi, get_nbi };

constexpr bool gets(transfer which) { return which == transfer::get || which == transfer::get_nbi; }

/// One program of transfers: osu_oshm_NAME, "OSU OpenSHMEM TITLE Test".
struct transfer_program {
    char const* name;
    char const* title;
    transfer which;
};

/// Regions of the transfers of one epoch, one block of `bytes` after the other, on this PE. The remote region has the
/// same address on the peer as here.
struct transfer_regions {
    sonde::region local;
    sonde::region remote;
    std::size_t bytes;

    std::size_t transfers() const { return local.size() / bytes; }
};

/// Returns f(pattern): all transfers of an epoch, and then shmem_quiet. A single shmem_getmem is complete without it.
template <class F>
decltype(auto) with_pattern(transfer which, sonde::pairing pair, transfer_regions const& r, F f) {
    auto const n = r.transfers();
    auto const completed = [&](auto transfer) { return f(sonde::rma{shmem::quiet{}, pair.role, n, transfer}); };
    switch (which) {
    case transfer::put:
        return completed(shmem::put{pair.peer, r.remote, r.local, r.bytes});
    case transfer::put_nbi:
        return completed(shmem::put_nbi{pair.peer, r.remote, r.local, r.bytes});
    case transfer::get_nbi:
        return completed(shmem::get_nbi{pair.peer, r.remote, r.local, r.bytes});
    case transfer::get:
        break;
    }
    return f(sonde::rma{shmem::no_completion{}, pair.role, n, shmem::get{pair.peer, r.remote, r.local, r.bytes}});
}

/// Validate the contents that transfers move between the PEs of each pair. `iterate` makes one iteration. Returns the
/// number of wrong elements of all PEs. Collective over all PEs.
std::size_t count_wrong_contents(openshmem_driver& on, point const& at, transfer which, transfer_regions const& r,
                                 std::function<void()> const& iterate);

/// Measure one point and, with `-c`, validate it. Collective over all PEs.
sonde::record measure_transfers(openshmem_driver& on, point const& at, transfer which, transfer_regions const& r,
                                size_plan const& plan);

/// Largest size of the programs of two PEs, by default and in global arrays.
inline constexpr std::size_t largest_of_pair = std::size_t{1} << 20;

/// Options of the programs of two PEs. OMB's have none.
inline constexpr auto pair_options = common_options | validation_options;

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

/// The latencies and bandwidths of OpenSHMEM.
std::vector<suite::named_program> latency_programs();

} // namespace osu::openshmem
