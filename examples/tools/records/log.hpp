// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/headings.hpp"
#include "tools/records/lines.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// Timed operation: half a ping-pong, a window of messages with one acknowledgement, or another operation, which no
/// model describes.
enum class timed_operation : unsigned char { ping_pong, window, other };

/// What a table is of: equal for repetitions of a measurement, and for nothing else.
struct table_identity {
    std::string program;   // "osu_latency", "PingPong", "all_reduce_perf", or a title without a program of that name
    std::string title;     // "OSU MPI-CUDA Latency Test", with the library and the device that it names
    std::string version;   // "7.4", "2019 Update 5"; empty if the text does not name it
    std::string rank;      // of the launcher's label, or the host, if tables have different ones
    std::size_t pairs = 0; // concurrent pairs of ranks; 0 if unknown
    std::map<std::string, std::string> settings; // datatype, memory, window, ...: all but bytes and repetitions
    std::size_t header_line = 0; // without a certain title, which makes a table equal to no other; otherwise 0

    bool operator==(table_identity const&) const = default;
    /// Equal for equal identities of any number of pairs.
    std::string key_without_pairs() const;
    std::string key() const;
    /// "OSU MPI-CUDA Latency Test v7.4, datatype MPI_CHAR"
    std::string text() const;
};

/// Times of one size.
struct log_row {
    double bytes = 0; // of a message
    double repetitions = 1;
    std::vector<sonde::seconds> times; // of every pair if the table has them; otherwise one, the slowest or the mean
    sonde::seconds resolution{};       // largest rounding error: half a unit of the last digit, or a tick by messages
    std::optional<sonde::confidence_interval> interval{}; // of the median of a single time, if the file has samples
    std::string label{};                                  // distinguishes rows of equally many bytes: "a:0 to b:1"
    double window = 1;                                    // messages of a pair in the time; half a ping-pong has one
    std::optional<double> rated{}; // messages of all pairs in the time, if it follows from a rate or a bandwidth
};

/// Measurement over sizes.
struct log_table {
    table_identity what;
    std::string path;
    std::size_t line = 0; // of the title, or of the header; 0 in JSON
    timed_operation operation = timed_operation::other;
    std::vector<log_row> rows{};
    std::string remark{};                // limitation of its times
    std::string no_model{};              // reason why no model is fitted; empty if one can be
    bool on_one_node = false;            // false if unknown
    std::vector<condition> conditions{}; // until `tell_apart` makes settings of those that tell tables apart

    /// "lat.txt:4", or "lat.json"
    std::string place() const { return line == 0 ? path : path + ':' + std::to_string(line); }
};

sonde::seconds slowest(log_row const& r);

/// Remarks on lines, counted: one for each kind, with the place of the first.
class counted_remarks {
public:
    void add(std::string const& kind, std::size_t line);
    /// "a.txt:12: is no row (3 times): left out"
    std::vector<std::string> texts(std::string const& path) const;

private:
    struct remark {
        std::string kind;
        std::size_t first, count;
    };
    std::vector<remark> remarks_;
};

/// Contents of a file of measurements.
struct log_contents {
    std::string path;
    std::vector<log_table> tables{};
    std::vector<sonde::record> round_trips{}; // of JSON, for the LogGP model
    std::vector<sonde::run_file> runs{};      // of JSON
    std::vector<std::string> remarks{};       // on lines that are left out
    std::vector<std::string> notes{};         // on the records of JSON, for fits: wrong data, flags
    bool is_json = false;
};

/// Read a job's log with any number of tables of the OSU Micro-Benchmarks, the Intel MPI Benchmarks, nccl-tests and
/// mpiGraph, or a file of JSON lines of Sonde. Rows match the header of their table exactly; other lines between rows
/// are left out, and counted in the remarks. JSON lines may be among other ones. Throws std::runtime_error, with the
/// path, for any other file.
log_contents read_log(std::string const& path);

/// As above, for the contents of a file.
log_contents read_log(std::string text, std::string const& path);

/// Types of the lines of JSON that `read_runs` reads.
inline constexpr std::string_view run_line_types[] = {"record",   "comparison",  "scopes",
                                                      "lateness", "environment", "launch"};

/// Read the runs of a file of JSON lines (`sonde::json_lines`, `sonde-launch`). Lines of other programs, also of JSON,
/// and records that were cut are left out, with remarks. Throws std::runtime_error, with the path, for a line of Sonde
/// with an invalid value, and for a file without a record or comparison.
log_contents read_runs(std::string const& path);

/// Tables of one identity, the number of pairs aside: repetitions (launches), and several numbers of pairs. Or all
/// round trips.
struct series {
    std::size_t number = 0; // from 1, in the order of the files
    std::vector<log_table> tables{};
    std::vector<sonde::record> round_trips{}; // for the LogGP model
    bool disagrees = false;                   // its identity is that of a series before it, and its times are others
    std::string other_unit{}; // says that a file has a series of this identity whose unit may be another; often empty

    /// "OSU MPI-CUDA Latency Test v7.4, datatype MPI_CHAR (lat.txt:2)"
    std::string name() const;
    /// Reason why no model is fitted; empty if one can be.
    std::string no_model() const;
};

} // namespace tools
