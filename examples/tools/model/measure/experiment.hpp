// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/models.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// Start of a sample on several pairs: common to all pairs; or apart, each pair when it is ready, after a warm-up that
/// all pairs begin together, as in the Intel MPI Benchmarks.
enum class pair_start : unsigned char { common, apart };

/// Iterations of a sample: chosen for the clock's resolution, n(x) of the Intel MPI Benchmarks, or a fixed number.
struct batch_size {
    enum class source : unsigned char { timer, imb, fixed } by = source::timer;
    std::size_t iterations = 0; // if fixed
};

/// Command line of `sonde-model measure`.
struct measure_options {
    model_kind model = model_kind::hockney;
    std::vector<std::size_t> sizes;
    std::string out;                    // empty: no file
    std::optional<std::size_t> samples; // without a number, precision and time end a point
    double precision = 0.02;            // half the median's 95 % interval, relative to the median
    sonde::seconds time{0.5};           // of a point
    pair_start start = pair_start::common;
    std::optional<std::size_t> warmup; // iterations
    batch_size batch;
    bool all_pair_counts = false; // max-rate: 1, 2, 3 .. pairs instead of 1, 2, 4 ..
    std::size_t messages = 12;    // of a parametrized round trip
    std::string answer;           // of --help or --version, in place of a measurement
};

/// Throws what read_options throws, or std::invalid_argument.
measure_options parse_measure(std::vector<std::string> const& words);

/// Ranks that exchange messages.
struct rank_pair {
    int initiator;
    int responder;
    friend bool operator==(rank_pair const&, rank_pair const&) = default;
};

/// Pairs of ranks, and their nodes.
struct pair_placement {
    std::vector<rank_pair> pairs;
    bool between_nodes = false; // all pairs are between the same two nodes
};

/// Form at most `most` pairs of ranks: all initiators on rank 0's node, all responders on one other node, the first of
/// those that give the most pairs. If all ranks are on one node, the first half of the ranks initiates. `node_of_rank`
/// is `environment::host_of_rank`.
pair_placement place_pairs(std::vector<int> const& node_of_rank, std::size_t most);

/// "ranks 0-2, 1-3 between two nodes"
std::string text_of(pair_placement const& placement);

/// Throws std::runtime_error if there are fewer pairs than the model needs.
void require_pairs(measure_options const& options, pair_placement const& placement,
                   std::vector<int> const& ranks_per_node);

/// Message size and number of concurrent pairs of one measurement.
struct measurement_point {
    std::size_t bytes;
    std::size_t pairs;
    friend bool operator==(measurement_point const&, measurement_point const&) = default;
};

/// 1, 2, 4 .. and `most`; or every number up to `most`.
std::vector<std::size_t> pair_counts(std::size_t most, bool every);

/// Points in the order of their measurement: by size, then by number of pairs.
std::vector<measurement_point> measurement_points(measure_options const& options, std::size_t pairs);

/// Lines above the table: the ranks, the start of samples, and the limits of the model.
std::string heading(measure_options const& options, pair_placement const& placement, int ranks);

/// Lines below the table: the points whose time ended before the requested precision was reached, and the next command.
/// A point may be listed once for each of its records.
std::string closing(measure_options const& options, std::vector<measurement_point> const& imprecise = {});

} // namespace tools::model
