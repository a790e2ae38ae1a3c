// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/library.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/validation.hpp"
#include "osu/upc/upc_group.hpp"
#include "suite/launch.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/pattern/pattern_ref.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace osu::upc {

inline constexpr library upc_library{
    .title = "UPC", .starts = barrier_starts, .lacks = option_name::session, .read_words = refuse_words};

/// Driver of programs whose data UPC moves. The threads of UPC, which are the ranks of MPI, are the group that is
/// measured: upc_barrier synchronizes them. `main` has started UPC, and UPC has started MPI.
///
/// Berkeley UPC wants an MPI_Barrier between calls of MPI and later ones of UPC, and an upc_barrier between calls of
/// UPC and later ones of MPI. MPI_Wtime, the clock, is excepted here: it sends nothing.
class upc_driver : public driver {
public:
    /// Makes two blocks of `block` bytes on each thread. Throws refusal, on all ranks, if the threads are not the ranks
    /// or the shared heap has no room. Collective over the group.
    upc_driver(invocation const& from, std::size_t block);

    upc::group& threads() { return shared_->threads; }
    shared_blocks const& source() const { return shared_->source; }
    shared_blocks const& target() const { return shared_->target; }

    /// Measure a pattern. Collective over the group.
    sonde::record run(size_plan const& plan, sonde::pattern_ref<sonde::mpi::wtime> pattern, point const& at);
    /// Validate contents after a measurement: see osu::count_wrong. Collective over the group.
    std::size_t count_wrong(point const& at, contents_functions const& of);

private:
    struct shared_memory {
        explicit shared_memory(std::size_t block) : source{block}, target{block} {}

        upc::group threads;
        shared_blocks source;
        shared_blocks target;
    };

    std::optional<shared_memory> shared_;
    std::optional<wrong_log> log_;
};

} // namespace osu::upc
