// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/map.hpp>
#include <sonde/map/suspects.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::map {

/// Kind of a place of the map: a rank, or a node with one rank that measures.
enum class place_kind : unsigned char { node, rank };
/// Pairs that are measured at the same time: one; all of a round, in which each place has one partner; or all places in
/// a ring, each of which sends to one place and receives from another one.
enum class map_mode : unsigned char { apart, together, ring };
/// Metric between two places: half the round trip of a message, or the bandwidth of a stream.
enum class map_metric : unsigned char { latency, bandwidth };

/// One map: a metric and a message size.
struct map_task {
    map_metric metric;
    std::size_t bytes;
};

/// Command line of `sonde-map`.
struct map_options {
    place_kind per = place_kind::node;
    map_mode mode = map_mode::apart;
    std::vector<map_task> tasks;
    std::size_t window = 16;            // messages of a stream in flight
    std::optional<std::size_t> samples; // without a number, precision and time end a pair
    double precision = 0.05;            // half the median's 95 % interval, relative to the median
    sonde::seconds time{0.05};          // of a pair in one direction
    std::optional<sonde::seconds> budget;
    bool quick = false;
    sonde::seconds time_limit{60};       // of a pair in one direction
    double false_alarms = 0.01;          // of all maps together
    double factor = 1.2;                 // smaller differences are not named
    std::optional<double> max_latency;   // us
    std::optional<double> min_bandwidth; // MB/s
    std::string json, csv, plot, html;   // files; empty: not written
    bool nagios = false;                 // one line for monitoring, in place of the report
    bool help = false;
};

/// The times of all pairs for one metric and size, in seconds of an iteration.
struct measured_map {
    map_task task;
    std::size_t window; // messages of an iteration of a stream
    sonde::pair_map times;
};

/// Latency in us, or bandwidth in MB/s, of an iteration's time, in 15 digits. These hide the rounding of the conversion
/// from seconds: 19.357, not 19.357000000000003.
double value_of(measured_map const& m, sonde::seconds iteration);

/// "latency of 8 bytes"
std::string title_of(measured_map const& m);

/// All maps, and the places between which they were measured.
struct map_result {
    sonde::environment environment;
    std::vector<std::string> places; // "c5", or "rank 3 (c5)"
    std::vector<int> node_of_place;
    std::vector<measured_map> maps;
    bool oversubscribed = false; // more of the measuring ranks than processors share a binding
};

struct place_pair {
    int from, to;
};

/// Suspects of one map, and its pairs that are worse than expected.
struct map_findings {
    std::vector<int> groups; // of each place: nodes if places are ranks of several nodes, otherwise by the times
    std::vector<sonde::suspect> suspects;
    std::vector<place_pair> unexpected; // worse than --expect
};

/// Suspects of each map, with the probability of a false alarm for all maps together that `options` has.
std::vector<map_findings> evaluate(map_result const& result, map_options const& options);

/// True if nothing is named.
bool nothing_found(std::vector<map_findings> const& findings);

/// "node c5: messages from it and to it take 2.03 times the usual time"
std::string text_of(sonde::suspect const& s, map_result const& result, map_findings const& of);

/// A line for each map in which even the best pairs of some places, at most half of them, take twice as long as the
/// best pairs of most places, or longer: "even the best pairs of c3, c4 take 10.00 times as long as those of most
/// places". It says what was seen: if two of five places are slow, most pairs are, and no test of a pair against most
/// pairs finds them, while a place may also be slow at best because all others are far away.
std::vector<std::string> slow_at_best(map_result const& result);

/// Report: first the suspects, then a summary of the measured pairs.
std::string report_text(map_result const& result, map_options const& options,
                        std::vector<map_findings> const& findings);

/// Exit status of a check for Nagios, Icinga and others that run Monitoring Plugins.
enum class nagios_status : unsigned char { ok, warning, critical, unknown };

struct nagios_report {
    nagios_status status;
    std::string line;
};

/// "WARNING - text | data": the line of a check, with its performance data.
std::string nagios_line(nagios_status status, std::string text, std::string const& data = {});

/// Critical if a pair is worse than --expect, otherwise a warning if something is named. The performance data are the
/// worst pair of each map, with the threshold of --expect.
nagios_report nagios_report_of(map_result const& result, map_options const& options,
                               std::vector<map_findings> const& findings);

/// Lines of JSON: a pair as soon as its round is measured, suspects and the result at the end.
class pair_lines {
public:
    /// Throws std::runtime_error if the file is not empty, std::system_error if it cannot be written.
    pair_lines(std::string const& path, sonde::environment const& environment);

    /// Write the pairs of the map that were not written yet.
    void add(measured_map const& so_far, std::vector<std::string> const& places);
    void begin_map() { written_.clear(); }
    void finish(map_result const& result, std::vector<map_findings> const& findings);

private:
    sonde::output_file out_;
    std::vector<bool> written_; // of the current map, by pair
};

/// Write the matrices of all maps, separated by empty lines: the head has the title and the receivers, each line a
/// sender and its values in us or MB/s; the field of a pair that was not measured is empty.
void write_csv(std::string const& path, map_result const& result);

/// Draw a heatmap of each map, places in the order of their groups. Throws what `sonde::draw` throws.
void draw_heatmaps(std::string const& path, map_result const& result, std::vector<map_findings> const& findings);

/// Write a page for a browser: suspects, heatmaps in the order of the hosts and of the groups, with the value of each
/// pair under the pointer, and a table of pairs that can be sorted.
void write_html(std::string const& path, map_result const& result, map_options const& options,
                std::vector<map_findings> const& findings);

/// A matrix of at most `most` rows and columns, with places in the given order. If there are more places, a cell has
/// the worst value of several neighboring places. An empty cell was not measured.
struct heatmap {
    std::size_t size = 0;
    std::size_t places_per_cell = 1;
    std::vector<std::optional<double>> values{}; // [from * size + to]
};
heatmap heatmap_of(measured_map const& m, std::vector<int> const& order, std::size_t most);

/// Places sorted by group, and within a group by the median of their times.
std::vector<int> grouped_order(measured_map const& m, std::vector<int> const& groups);

/// Measure all maps between the ranks of `group`, one rank for each place. `lines`, on rank 0 if at all, gets the pairs
/// of each round. The result's times are on rank 0 only. Throws suite::refusal, on all ranks, if one has no memory for
/// the messages. Collective over the group.
void measure_maps(sonde::mpi::group& group, map_options const& options, map_result& result, pair_lines* lines);

} // namespace tools::map
