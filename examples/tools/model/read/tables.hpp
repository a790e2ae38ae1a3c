// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// Timed operation: half a ping-pong, or a window of messages with one acknowledgement.
enum class timed_operation : unsigned char { ping_pong, window };

/// Times of one size.
struct table_row {
    double bytes = 0; // of a message, or of a window
    double repetitions = 1;
    std::vector<sonde::seconds> times; // of every pair if the table has them; otherwise one, the slowest or the mean
    sonde::seconds resolution{};       // half a unit of the last digit, or the clock's resolution by messages
    std::optional<sonde::confidence_interval> interval{}; // of the median of a single time, if the file has samples
};

/// Measurement over sizes.
struct table {
    std::string path;
    std::string name; // "osu_latency", "PingPong"
    timed_operation operation = timed_operation::ping_pong;
    std::size_t pairs = 1; // concurrent pairs of ranks; 0 if unknown
    std::vector<table_row> rows{};
    std::string remark{};     // limitation of its times
    bool on_one_node = false; // false if unknown
};

sonde::seconds slowest(table_row const& r);

/// Throws std::runtime_error if two tables of equally many pairs differ by more than a factor of 10, by the median over
/// their common sizes: a repeated measurement is not that slow, but milliseconds among microseconds are.
void refuse_mixed_units(std::vector<table> const& used);

/// Contents of a file of measurements.
struct tables_read {
    std::vector<table> tables{};
    std::vector<sonde::record> round_trips{}; // for the LogGP model
    std::vector<std::string> unused{};        // names, with their lines, of tables that no model describes
    std::vector<std::string> remarks{};
};

/// Read a file of JSON lines, or of tables of the OSU Micro-Benchmarks or the Intel MPI Benchmarks. Throws
/// std::runtime_error, with the path, for any other file, and for a file without measurements that a model describes.
tables_read read_tables(std::string const& path);

} // namespace tools::model
