// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/datatypes.hpp"
#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"
#include "osu/driver/osu_table.hpp"
#include "osu/driver/plan.hpp"
#include "osu/driver/sizes.hpp"
#include "suite/bit_check.hpp"
#include "suite/launch.hpp"
#include "suite/reports.hpp"
#include "suite/transport_note.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace osu {

using suite::reporter;

/// Reports of the rows of a run.
struct row_reports {
    std::vector<reporter> of_records; // `--report`: get all records of a row
    std::vector<reporter> of_values;  // `-G`: get the record of a row's value, of a non-blocking collective that of
                                      // communication and OMB's work together
    std::vector<reporter> of_samples; // `-G`: get it by the name of the row's picture

    /// `sampled`: the parameters in the name of the picture of the row's samples.
    void add(result const& row, sonde::point const& sampled) const;
    /// Writes the rest. Throws refusal if a file cannot be written.
    void finish() const;
};

/// The reports of `--report` and the plots of `-G`, with open files. For rank 0. Throws refusal if a file cannot be
/// written, or gnuplot is not installed.
row_reports open_reports(program const& about, options const& asked, sonde::environment const& where);

/// Note of the ranks that finished last (`sonde::record::stragglers`), over all rows.
class asymmetry_note {
public:
    void add(sonde::record const& row);
    /// A line for each rank that was a straggler in at least three rows and in half of all rows, with its smallest lag:
    /// in a single row the algorithm may have made it one, for example by its tree.
    std::vector<std::string> lines(sonde::environment const& where) const;

private:
    struct straggler_rows {
        std::size_t count = 0;
        double least_lag = 1e9; // share of the ranks' median
    };

    std::size_t rows_ = 0;
    std::vector<straggler_rows> of_rank_;
};

/// The program, its options, its ranks and its command line.
struct invocation {
    program const& about;
    osu::options options;
    sonde::mpi::group& world;
    int argc;
    char const* const* argv;
    suite::further_library& further; // see mpi_job
    load_beside* beside = nullptr;   // null without `--beside`
};

/// One point of a sweep: a datatype, a message size in bytes, and the number of messages in flight to each peer.
struct point {
    datatype const& type;
    std::size_t size;
    std::size_t window = 1;
    std::size_t peers = 1;
    message_description message{};

    /// Datatype and count of a message for MPI calls.
    sonde::mpi::elements const& elements() const { return message.elements; }
};

/// Base class of the drivers of messages, collectives and one-sided operations: the ranks, the options, the size sweep,
/// the table and the reports. Derived classes add buffers and the measurement of one point.
class driver {
public:
    /// Throws refusal, on all ranks, for an unreadable file of `-D`. Collective over the group.
    explicit driver(invocation const& from);

    /// Opens the reports. Throws refusal, on all ranks, if that fails. Collective over the group.
    void open_reports();

    sonde::mpi::group& world() { return world_; }
    sonde::mpi::group const& world() const { return world_; }
    program const& about() const { return about_; }
    osu::options const& options() const { return options_; }
    message_layout const& layout() const { return *layout_; }
    /// The load of `--beside`, or null.
    load_beside* beside() const { return beside_; }
    osu::table& table() { return table_; }
    /// The messages that `--check-bits` compares; none without it.
    std::optional<suite::bit_check>& bits() { return bits_; }

    /// The datatypes of `-T`.
    std::vector<datatype> types() const { return types_of(options_); }
    /// Call `measure(point)` for each size of a datatype until it returns false, which ends the sweep.
    void each_size(datatype const& type, std::function<bool(point const&)> const& measure) const;
    /// Print the head of the table of each datatype, and call `measure(point)` for its sizes: see `each_size`.
    void each_point(std::function<bool(point const&)> const& measure);
    /// Print the head of the table of a datatype.
    void begin_table(datatype const& type);

    /// Plan of one size; `sweep` has the iterations and the synchronization of OMB.
    size_plan plan(sweep_plan const& sweep, std::size_t size) const {
        return plan_of(sweep, size, options_, clock_.get(), evict_.get()).keep({.carried = transport_->reader()});
    }

    /// Print a row, and write its records to all reports. False if contents were wrong without `--check-bits`,
    /// which ends the sweep. Collective over the group.
    bool report(point const& at, result found) {
        found.transmitted = at.message.transmitted;
        if (beside_ != nullptr) found.beside = beside_->take();
        table_.row(std::to_string(at.size), found);
        return record(at, found);
    }
    /// Write the records of a row to all reports, without printing it; see `report`. Collective over the group.
    bool record(point const& at, result const& found);

    /// Finish the reports. Throws refusal, on all ranks, if a file cannot be written. Collective over the group.
    void finish_reports();

    /// Exit status of the program: 1 if contents were wrong, or another device than the expected one carried the
    /// messages, with a line on stdout. Collective over the group.
    int status();

protected:
    /// Bytes of one thread's sample times while they grow and are sorted.
    double bytes_of_times() const;
    /// Run `take`, which allocates `bytes` on this rank. Throws refusal, on all ranks, if the ranks of a host need more
    /// memory together than it has, or if an allocation fails. Collective over the group.
    void take_memory(double bytes, std::function<void()> const& take);
    void limit_sizes(std::size_t largest) { options_.max_size = largest; }

private:
    /// The size, and the datatype and the window if there are several.
    sonde::point sampled_point(point const& at) const;

    program const& about_;
    osu::options options_;
    sonde::mpi::group& world_;
    load_beside* beside_;
    sonde::environment environment_;
    osu::table table_;
    std::optional<message_layout> layout_;
    std::optional<suite::bit_check> bits_;
    row_reports reports_;
    std::function<void(sonde::record const&)> progress_; // null if stdout is a terminal, which shows the rows
    std::unique_ptr<global_start> clock_;                // null without `--sync window`
    std::unique_ptr<sonde::eviction> evict_;             // null without `--cache flushed`
    asymmetry_note asymmetry_;
    std::unique_ptr<suite::transport_note> transport_;
    std::string command_;
    std::optional<std::size_t> failed_size_; // of the last row whose contents were wrong
};

/// Append the kinds of memory of both buffers to the parameters of a record, if buffer places or `-d` are given.
void add_placement(sonde::point& at, program const& about, options const& asked, buffer_placement where);

/// Name and parameters of the record of a message between ranks; all points of a program have the same parameters.
sonde::point point_of(program const& about, options const& asked, point const& at);

/// A driver with its buffers, the lines above the title, and the sweep of all points.
struct prepared_run {
    std::shared_ptr<osu::driver> driver;
    std::string preamble;
    std::function<void()> sweep;
};

/// Makes the driver of a run. Throws refusal on all ranks. Collective over the group.
using preparation = std::function<prepared_run(invocation const&)>;

} // namespace osu
