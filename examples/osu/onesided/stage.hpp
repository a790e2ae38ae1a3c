// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../point.hpp"
#include "../stage.hpp"
#include "../validation.hpp"
#include "rows.hpp"
#include "summary.hpp"

#include <sonde/pattern.hpp>

#include <cstddef>
#include <optional>

namespace osu {

/// The stage of one-sided transfers: two ranks, of which rank 0 measures, and a window of its own for each size.
class one_sided_stage : public stage {
public:
    /// Throws refusal, on all ranks, where there is not the memory for the largest size. Collective over the group.
    one_sided_stage(given const& g, one_sided const& what);

    one_sided const& what() const { return what_; }
    creation made_by() const { return asked().made_by.value_or(what_.made_by); }
    /// As `made_by`, but the MPI library takes no memory that is not the host's: OMB creates the window over its own
    /// then.
    creation really_made_by() const;
    synchronization under() const { return asked().sync.value_or(what_.under); }
    sonde::pairing pairing() const { return sonde::pair_of(world().rank(), 1); }
    /// Whom this rank accesses; a negative rank is nobody.
    sonde::mpi::peer target() const { return {accesses(world().rank()) ? pairing().peer : -1}; }
    /// Does a rank access the window of the other?
    bool accesses(int rank) const { return rank == 0 || what_.mutual(under()); }
    bool is_accessed() const { return accesses(pairing().peer); }

    std::size_t transfers() const { return what_.measures == pace::latency ? 1 : asked().window; }
    row_plan plan(std::size_t size) const { return stage::plan(counted_, size, start::one_barrier); }
    sonde::point point(spot const& at) const;

    /// The lines above a datatype's rows.
    void begin(datatype const& type);

    /// What this rank sends, gets back and compares with, and a window, filled as OMB fills them.
    struct place {
        sonde::allocation<memory> out;
        sonde::allocation<memory> in;
        sonde::allocation<memory> compared;
        chosen_window window;
    };
    /// Throws refusal, on all ranks, where there is not the memory. Collective over the group.
    place place_of(spot const& at) const;
    ingredients of(spot const& at, place const& here) const;

    osu::summary& summary() { return summary_; }
    std::optional<wrong_log> const& log() const { return log_; }

private:
    /// Of one size, before there is a window.
    struct bytes {
        sonde::allocation<memory> out;
        sonde::allocation<memory> in;
        sonde::allocation<memory> compared;
        sonde::allocation<memory> window; // none where the MPI library takes it
    };
    bytes take(std::size_t each) const;
    placements where() const { return asked().words.value_or(placements{}); }
    placement here() const { return world().rank() == 0 ? where().source : where().destination; }
    std::size_t bytes_of(std::size_t size) const { return what_.one_element ? largest() : size * transfers(); }
    /// Of the window of a program that has one size.
    std::size_t largest() const;

    one_sided const& what_;
    program counted_;
    bool begun_ = false;
    osu::summary summary_;
    std::optional<wrong_log> log_;
};

} // namespace osu
