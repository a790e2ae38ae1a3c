// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/corruption.hpp"

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
    std::optional<std::size_t> bits;     // rounds in which all bits of the messages of each pair are compared
    std::optional<std::string> device;   // network device that is to carry the messages
    bool nagios = false;                 // one line for monitoring, in place of the report
    std::string answer;                  // of --help or --version, in place of a measurement
};

/// The times of all pairs for one metric and size, in seconds of an iteration.
struct measured_map {
    map_task task;
    std::size_t window; // messages of an iteration of a stream
    sonde::pair_map times;
};

/// Messages of all maps whose bits were compared: what the wrong ones have in common, and the first wrong words.
struct map_bits {
    suite::corruption found;
    std::string sentence;
    std::vector<std::string> words;
};

/// What network devices carried during all maps, on rank 0.
struct map_transport {
    std::string text;                      // which devices
    std::vector<std::string> statements;   // what is wrong with it
    std::optional<std::string> unexpected; // why it was not the device of --expect-device
};

/// All maps, and the places between which they were measured.
struct map_result {
    sonde::environment environment;
    std::vector<std::string> places; // "c5", or "rank 3 (c5)"
    std::vector<int> node_of_place;
    std::vector<measured_map> maps;
    std::optional<map_bits> bits;           // with --check-bits
    std::optional<map_transport> transport; // with --expect-device
    bool oversubscribed = false;            // more of the measuring ranks than processors share a binding
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

} // namespace tools::map
