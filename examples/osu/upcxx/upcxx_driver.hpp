// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/library.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/validation.hpp"
#include "suite/launch.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/upcxx/group.hpp>
#include <sonde/upcxx/memory.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace osu::upcxx {

inline constexpr library upcxx_library{
    .title = "UPC++", .starts = barrier_starts, .lacks = option_name::session, .read_words = refuse_words};

/// Driver of programs whose data UPC++ moves. The ranks of UPC++, which are those of MPI, are the group that is
/// measured: upcxx::barrier synchronizes them.
class upcxx_driver : public driver {
public:
    /// Starts UPC++ with room for `segment` bytes in the shared segment of each rank, unless the environment sets its
    /// size. Throws refusal, on all ranks, if the ranks of UPC++ are not those of MPI. Collective over the group.
    upcxx_driver(invocation const& from, double segment);

    sonde::upcxx::group& ranks() { return ranks_; }
    /// Name and size.
    sonde::point point_of(point const& at) const;

    /// Measure a pattern. Collective over the group.
    sonde::record run(size_plan const& plan, sonde::pattern_ref<sonde::mpi::wtime> pattern, point const& at);

    /// Memory of the shared segment. Throws refusal, on all ranks, if it has no room. Collective over the group.
    sonde::upcxx::shared_allocation allocate(std::size_t bytes) const;

    /// Validate contents after a measurement: see osu::count_wrong. Collective over the group.
    std::size_t count_wrong(point const& at, contents_functions const& of) {
        return osu::count_wrong(ranks_, options(), log_, at, of);
    }

private:
    sonde::upcxx::group ranks_;
    std::optional<wrong_log> log_;
};

} // namespace osu::upcxx
