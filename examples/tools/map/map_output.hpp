// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/map/sonde_map.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::map {

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

/// A matrix of at most `most` rows and columns, with places in the given order. If there are more places, a cell has
/// the worst value of several neighboring places. An empty cell was not measured.
struct heatmap {
    std::size_t size = 0;
    std::size_t places_per_cell = 1;
    std::vector<std::optional<double>> values{}; // [from * size + to]
};

/// Write the matrices of all maps, separated by empty lines: the head has the title and the receivers, each line a
/// sender and its values in us or MB/s; the field of a pair that was not measured is empty.
void write_csv(std::string const& path, map_result const& result);

/// Draw a heatmap of each map, places in the order of their groups. Throws what `sonde::draw` throws.
void draw_heatmaps(std::string const& path, map_result const& result, std::vector<map_findings> const& findings);

heatmap heatmap_of(measured_map const& m, std::vector<int> const& order, std::size_t most);

/// Places sorted by group, and within a group by the median of their times.
std::vector<int> grouped_order(measured_map const& m, std::vector<int> const& groups);

} // namespace tools::map
