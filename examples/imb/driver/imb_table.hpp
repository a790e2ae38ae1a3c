// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "imb/driver/imb_plan.hpp"

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace imb {

struct driver;

/// Text of at most 255 characters, by a format of printf.
[[gnu::format(printf, 1, 2)]] std::string formatted(char const* format, ...);

// Figures of a line, from the results of all groups.

/// Microseconds of a repetition, over the ranks of all groups whose time counts.
struct times {
    double min = 0;
    double max = 0;
    double avg = 0;
};

times times_of(std::span<result const> groups, double factor);

/// Values that figures depend on, apart from results.
struct line_inputs {
    std::size_t bytes;
    int ranks; // of a group
    std::size_t window;
};

/// Bytes per microsecond in a time of t microseconds; 0 if t is 0.
double bandwidth_of(benchmark const& test, line_inputs const& in, double t);

/// t_ovrl, t_pure and t_CPU in microseconds, and the overlap in percent.
struct overlap_figures {
    double both;
    double pure;
    double work;
    double percent;
};
overlap_figures overlap_of(benchmark const& test, std::span<result const> groups);

/// Cells to the right of size and repetitions.
std::string figures_of(benchmark const& test, columns shows, line_inputs const& in, std::span<result const> groups);

// Text of a table.

/// Inputs of a table's head.
struct head_inputs {
    benchmark const& test;
    imb::mode mode;
    int world;                                   // ranks
    std::vector<std::vector<int>> const& groups; // world ranks
    std::size_t row;                             // ranks in a row of -map; 0: ranks are not listed
    bool by_group;                               // a line for each group: `-multi 1`
    bool defects;                                // with a column of defects
};

/// Columns of a benchmark's table: a single time becomes a range over several groups.
columns columns_of(benchmark const& test, options const& asked);

/// True for columns with sizes.
bool is_sized(columns shows);

/// Head of a table, from the empty line above it to the titles of the columns.
std::string head_of(head_inputs const& in, columns shows);

/// "# !! Benchmark PingPong invalid for 1 processes !!", below an empty line.
std::string invalid_line(benchmark const& test, int processes);

/// Text of a failure, to the right of the size.
std::string failure_text(failure why, std::size_t bytes_needed, std::string const& advice);

/// Table of a benchmark with one number of processes in one mode. World rank 0 prints and reports each line at once.
class table {
public:
    table(driver& on, benchmark const& test, mode in, std::vector<std::vector<int>> const& groups);

    /// Add the results of a size: one line, or a line for each group.
    void add(std::size_t bytes, std::vector<result> const& groups);
    /// Add the failure that ends the table.
    void add(failure why, std::size_t bytes, std::size_t bytes_needed);

private:
    void print_head(bool defects);
    void print_line(std::string const& group, std::size_t bytes, std::span<result const> results) const;
    bool by_group() const;

    driver& driver_;
    benchmark const& test_;
    mode mode_;
    std::vector<std::vector<int>> const& groups_;
    columns shows_;
    bool has_head_ = false;
};

} // namespace imb
