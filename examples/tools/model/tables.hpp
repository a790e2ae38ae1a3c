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

/// What was timed: half a ping-pong, or a window of messages that is answered once.
enum class timed : unsigned char { ping_pong, window };

/// What a table says of a size.
struct table_row {
    double bytes = 0; // of a message, or of a window
    double repetitions = 1;
    std::vector<sonde::seconds> times; // of every pair, where the table has them; else one, of the slowest or the mean
    sonde::seconds resolution{};       // half a unit of the last digit, or the clock's step over the messages
    std::optional<sonde::confidence_interval> between{}; // of the median of the one time, where the file has samples
};

/// A measurement over sizes, as a file has it.
struct table {
    std::string path;
    std::string name; // "osu_latency", "PingPong"
    timed what = timed::ping_pong;
    std::size_t pairs = 1; // at the same time; 0: the table does not say
    std::vector<table_row> rows{};
    std::string remark{};     // what a reader should know of its times
    bool on_one_node = false; // known so
};

/// The longest of its times.
sonde::seconds slowest(table_row const& r);

/// Throws std::runtime_error where tables of as many pairs are more than ten times apart, by the median over the sizes
/// that both have: nothing is so slow that was measured again, but milliseconds among microseconds are.
void refuse_mixed_units(std::vector<table> const& used);

/// The tables of a file that a model can be fitted to, and what else it holds.
struct tables_read {
    std::vector<table> tables{};
    std::vector<sonde::record> round_trips{}; // what a LogGP model is fitted to
    std::vector<std::string> unused{};        // names, with their lines
    std::vector<std::string> remarks{};
};

} // namespace tools::model
