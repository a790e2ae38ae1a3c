// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "asked_rule.hpp"
#include "asked_sync.hpp"
#include "asymmetry_note.hpp"
#include "common.hpp"
#include "datatypes.hpp"
#include "program.hpp"
#include "reports.hpp"
#include "table.hpp"

#include <sonde/environment.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/sync.hpp>
#include <sonde/plan.hpp>
#include <sonde/sync.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace osu {

/// What a program is started with.
struct given {
    program const& about;
    options asked;
    sonde::mpi::group& world;
    int argc;
    char const* const* argv;
};

/// The suite's way to measure a size: its counts, MPI_Wtime, a sample an iteration, ranks together as it does. With
/// `--until` no longer than it takes: warm-up until stable; a batch as long as the clock needs, unless ranks are
/// brought together before each iteration, or percentiles of iterations are asked for.
using row_plan = sonde::plan<sonde::mpi::wtime, sonde::any_rule, sonde::flushed_sync<asked_sync>>;

/// What the body of every program works with: the ranks, what was asked for, the sizes, and where rows go. The memory
/// for messages, and how they are measured, its heirs add.
class stage {
public:
    /// Throws refusal, on all ranks, for a file of `-D` that says nothing. Collective over the group.
    explicit stage(given const& g);

    /// Open reports. Throws refusal, on all ranks, where that cannot be. Collective over the group.
    void open_reports();

    sonde::mpi::group& world() { return world_; }
    sonde::mpi::group const& world() const { return world_; }
    program const& about() const { return about_; }
    options const& asked() const { return asked_; }
    message_layout const& layout() const { return *layout_; }
    osu::table& table() { return table_; }

    std::vector<datatype> types() const { return types_of(asked_); }
    /// From the smallest, doubling; those in which an element fits. Without sizes: 0; or that of an element.
    std::vector<std::size_t> sizes(datatype const& type) const;

    /// The lines above a datatype's rows.
    void begin(datatype const& type) {
        if (about_.sized) table_.datatype(type.name);
        table_.titles();
    }

    /// The plan of a size; `usual` is what the suite does before iterations, which `senders` share: each has its part
    /// of the counts, rounded up.
    row_plan plan(std::size_t size, start usual = start::one_barrier, int senders = 1) const {
        return plan(about_, size, usual, senders);
    }

    /// A row of the table, and its records to every report; see `keep`.
    bool report(std::size_t size, finding const& found) {
        table_.row(size, found);
        return keep(size, found);
    }
    /// The records to every report, without a row. False where its contents were wrong: the sweep of this datatype
    /// ends.
    bool keep(std::size_t size, finding const& found);

    /// Write what reports write at the end. Throws refusal, on all ranks, where that cannot be. Collective over the
    /// group.
    void finish_reports();

    /// What `main` returns: 1 where contents were wrong, with a line on stdout that says so.
    int status();

protected:
    /// Bytes that the times of one thread need, while they grow and are sorted.
    double bytes_of_times() const;
    /// Run `take`, which allocates `bytes` on this rank. Throws refusal, on all ranks, if the ranks of a host need more
    /// memory together than it has, or if an allocation fails. Collective over the group.
    void take_memory(double bytes, std::function<void()> const& take);
    /// As counted for another program.
    row_plan plan(program const& counted, std::size_t size, start usual, int senders = 1) const;
    void limit_sizes(std::size_t largest) { asked_.max_size = largest; }

private:
    std::size_t points() const;

    program const& about_;
    options asked_;
    sonde::mpi::group& world_;
    sonde::environment where_;
    osu::table table_;
    std::optional<message_layout> layout_;
    std::vector<reporter> reports_;
    std::function<void(sonde::record const&)> progress_; // none where rows are seen
    std::unique_ptr<global_start> clock_;
    std::unique_ptr<sonde::eviction> evict_; // none where caches are not flushed
    asymmetry_note asymmetry_;
    std::string command_;
    std::optional<std::size_t> failed_; // the last size whose contents were wrong
};

} // namespace osu
