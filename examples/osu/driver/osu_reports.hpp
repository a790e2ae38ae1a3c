// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_table.hpp"
#include "suite/reports.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace osu {

using suite::reporter;

/// Reports of the rows of a run.
struct row_reports {
    std::vector<reporter> of_records; // `--report`: get all records of a row
    std::vector<reporter> of_values;  // `-G`: get the record of a row's value, of a non-blocking collective that of
                                      // communication and OMB's work together

    void add(result const& row) const;
    /// Writes the rest. Throws refusal if a file cannot be written.
    void finish() const;
};

/// The reports of `--report` and the plots of `-G`, with open files. For rank 0. Throws refusal if a file cannot be
/// written, or gnuplot is not installed.
row_reports open_reports(program const& about, options const& asked, sonde::environment const& where);

/// Note of the ranks that were the slowest more often than chance allows (`sonde::stragglers`), over all rows.
class asymmetry_note {
public:
    void add(sonde::record const& row);
    /// A line for each rank that was a straggler in at least three rows and in half of all rows: in a single row the
    /// algorithm may have made it one, for example by its tree.
    std::vector<std::string> lines(sonde::environment const& where) const;

private:
    std::size_t rows_ = 0;
    std::vector<std::size_t> of_rank_;
};

} // namespace osu
