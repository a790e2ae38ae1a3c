// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_table.hpp"
#include "osu/one_sided/one_sided_rows.hpp"
#include "suite/launch.hpp"
#include "suite/memory.hpp"
#include "suite/one_sided.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace osu {

/// A window that is created as `-w` says, over memory of its own or over memory that the MPI library allocates: a
/// sonde::mpi::Window. No function is called in the timed loop.
class rma_window {
public:
    /// A window over `memory`, which is of this kind. creation::allocate ignores `memory` and has `bytes` bytes of the
    /// MPI library. Collective over the group.
    rma_window(sonde::mpi::group const& ranks, creation how, std::size_t bytes, memory_kind kind,
               sonde::allocation<suite::memory> memory)
        : functions_{kind}, memory_{std::move(memory)}, window_{create(ranks, how, bytes)} {}

    MPI_Win handle() const {
        return std::visit([](auto const& w) { return w.handle(); }, window_);
    }
    sonde::opaque_region region() const {
        return std::visit([](auto const& w) -> sonde::opaque_region { return w.region(); }, window_);
    }
    MPI_Aint base(int rank) const {
        return std::visit([=](auto const& w) { return w.base(rank); }, window_);
    }
    std::size_t size(int rank) const {
        return std::visit([=](auto const& w) { return w.size(rank); }, window_);
    }

    /// Functions of this rank's window memory.
    suite::memory const& memory() const { return functions_; }

private:
    using any_window = std::variant<sonde::mpi::opaque_created_window, sonde::mpi::allocated_window,
                                    sonde::mpi::opaque_dynamic_window>;

    any_window create(sonde::mpi::group const& ranks, creation how, std::size_t bytes) const {
        if (how == creation::create) return sonde::mpi::opaque_created_window{ranks, memory_.bytes()};
        if (how == creation::dynamic) return sonde::mpi::opaque_dynamic_window{ranks, memory_.bytes()};
        return sonde::mpi::allocated_window{ranks, bytes};
    }

    suite::memory functions_;
    sonde::allocation<suite::memory> memory_;
    any_window window_;
};

/// Validations of one datatype on one rank: their number, the failed ones, and the indices of the first and the last
/// failed one.
struct validation_count {
    std::string type;
    double rounds = 0;
    double failed = 0;
    double first = 0;
    double last = 0;

    void add(bool wrong) {
        if (wrong) first = failed++ == 0 ? rounds : first, last = rounds;
        ++rounds;
    }
};

/// The summary at the end of OMB's programs with `-T`: the validations of each rank.
class validation_summary {
public:
    void begin(std::string const& type) { all_.push_back({type}); }
    void add(bool wrong) { all_.back().add(wrong); }
    /// Collective over the group.
    void print(sonde::mpi::group const& world, table& to) const;

private:
    std::vector<validation_count> all_;
};

/// Memory of one point: the origin's regions, and the window. Regions that the operation does not take are empty.
struct rma_buffers {
    sonde::allocation<memory> origin;
    sonde::allocation<memory> result;
    sonde::allocation<memory> compare;
    rma_window window;
};

/// Driver of one-sided transfers between two ranks: buffers and a window for each size. Rank 0 measures.
class one_sided_driver : public driver {
public:
    /// Throws refusal, on all ranks, if there is not enough memory for the largest size. Collective over the group.
    one_sided_driver(invocation const& from, one_sided const& what);

    one_sided const& what() const { return what_; }
    synchronization sync() const { return options().sync.value_or(what_.sync); }
    sonde::pairing pairing() const { return sonde::pair_of(world().rank(), 1); }
    /// True if a rank accesses the other rank's window.
    bool is_origin(int rank) const { return rank == 0 || what_.is_mutual(sync()); }
    bool is_target() const { return is_origin(pairing().peer); }
    /// Transfers in an epoch.
    std::size_t transfers() const { return what_.pattern == rma_pattern::latency ? 1 : options().window; }

    size_plan plan_of(point const& at) const {
        return plan(sync() == synchronization::lock ? what_.plan_with_lock : what_.plan, at.size);
    }
    sonde::point point_of(point const& at) const;

    /// Print the head of a datatype's table.
    void begin_table(datatype const& type);

    /// Buffers and window of a point, initialized as in OMB. Throws refusal, on all ranks, if there is not enough
    /// memory. Collective over the group.
    rma_buffers make_buffers(point const& at) const;
    /// Arguments of the point's transfers and epochs.
    suite::rma_arguments<rma_window> arguments(point const& at, rma_buffers const& buffers) const;
    suite::epoch_arguments<rma_window> epoch(rma_buffers const& buffers) const;

    /// Validate contents after the measurement. `epochs` makes one iteration in epochs of its own and releases their
    /// locks at its end, so that transfers of MPI_Win_flush_local are complete at the target, too. Returns the number
    /// of wrong elements of all ranks. Collective over the group.
    std::size_t count_wrong(point const& at, rma_buffers& buffers, std::function<void()> const& epochs);
    validation_summary& summary() { return summary_; }

private:
    /// The memory of rma_buffers before the window is created.
    struct memory_blocks {
        sonde::allocation<memory> origin;
        sonde::allocation<memory> result;
        sonde::allocation<memory> compare;
        sonde::allocation<memory> window; // empty if the MPI library allocates it
    };
    memory_blocks allocate(std::size_t bytes) const;

    creation requested_window() const { return options().made_by.value_or(what_.window); }
    creation window() const;
    buffer_placement placement() const { return options().placement.value_or(buffer_placement{}); }
    memory_kind kind() const { return world().rank() == 0 ? placement().source : placement().destination; }
    std::size_t bytes_of(std::size_t size) const { return what_.one_element() ? largest() : size * transfers(); }
    std::size_t largest() const;

    one_sided const& what_;
    bool has_table_ = false;
    validation_summary summary_;
    std::optional<wrong_log> log_;
};

/// The program of a row.
program program_of(one_sided const& row);

} // namespace osu
