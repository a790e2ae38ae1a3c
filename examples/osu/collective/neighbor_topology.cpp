// SPDX-License-Identifier: BSL-1.0
#include "osu/collective/neighbor_topology.hpp"

#include "osu/driver/osu_program.hpp"
#include "osu/driver/osu_table.hpp"
#include "suite/values.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>

namespace osu {

namespace {

std::vector<int> grid_of(int ranks, topology_choice const& asked) {
    std::vector<int> extents(static_cast<std::size_t>(asked.dimensions), 0);
    sonde::mpi::check(MPI_Dims_create(ranks, asked.dimensions, extents.data()), "MPI_Dims_create");
    auto const smallest = *std::min_element(extents.begin(), extents.end()), most = (smallest - 1) / 2;
    if (asked.radius > most)
        throw refusal{"Radius too large [-N cart:" + std::to_string(asked.dimensions) + ":" +
                      std::to_string(asked.radius) + "]: " + std::to_string(ranks) +
                      " ranks make a grid whose smallest extent is " + std::to_string(smallest) + "; accepted: " +
                      (most == 0 ? "more ranks or fewer dimensions" : "a radius of at most " + std::to_string(most))};
    return extents;
}

sonde::mpi::neighborhood neighbors_in_file(sonde::mpi::group const& world, std::string const& path) {
    pair_file const file{"-N graph:", path, "edge", "a file of lines 'SOURCE, DESTINATION' in ranks"};
    sonde::mpi::neighborhood found;
    for (auto const& [source, destination] : read_pairs(file)) {
        if (std::max(source, destination) >= world.size())
            refuse_file(file, "Number of processes is less than graph nodes: there is no rank " +
                                  std::to_string(std::max(source, destination)) + " of " +
                                  std::to_string(world.size()));
        if (destination == world.rank()) found.sources.push_back(source);
        if (source == world.rank()) found.destinations.push_back(destination);
    }
    return found;
}

std::vector<int> coordinates_of(int rank, std::vector<int> const& extents) {
    std::vector<int> at(extents.size());
    for (auto d = extents.size(); d-- != 0; rank /= extents[d]) at[d] = rank % extents[d];
    return at;
}

/// Advance to the next offset, the last dimension fastest. False after the last offset.
bool advance(std::vector<int>& offset, int radius) {
    for (auto d = offset.size(); d-- != 0; offset[d] = -radius)
        if (++offset[d] <= radius) return true;
    return false;
}

int rank_at(std::vector<int> const& origin, std::vector<int> const& offset, std::vector<int> const& extents) {
    int rank = 0;
    for (std::size_t d = 0; d != extents.size(); ++d)
        rank = rank * extents[d] + (origin[d] + offset[d] + extents[d]) % extents[d];
    return rank;
}

} // namespace

std::vector<int> grid_neighbors(int rank, std::vector<int> const& extents, int radius) {
    std::vector<int> found;
    std::vector<int> const zero(extents.size(), 0), origin = coordinates_of(rank, extents);
    std::vector<int> offset(extents.size(), -radius);
    do
        if (offset != zero) found.push_back(rank_at(origin, offset, extents));
    while (advance(offset, radius));
    return found;
}

neighbor_topology::neighbor_topology(sonde::mpi::group& world, topology_choice const& asked) {
    suite::require_outside_smpi("MPI_Dist_graph_create_adjacent");
    sonde::mpi::neighborhood mine;
    together(world, [&] {
        if (asked.file.empty()) {
            extents_ = grid_of(world.size(), asked);
            mine.sources = grid_neighbors(world.rank(), extents_, asked.radius);
            mine.destinations = mine.sources;
        } else {
            mine = neighbors_in_file(world, asked.file);
        }
    });
    auto const once = sonde::plan<sonde::mpi::wtime>{}.warmup(0).until(sonde::samples{1});
    auto const make = [&] {
        topology_.emplace(sonde::mpi::topology::dist_graph(world, mine.sources, mine.destinations));
    };
    creation_time_ = sonde::run(world, once, make).over_ranks.mean;
    ranks_.emplace(topology_->comm());
}

std::string neighbor_topology::preamble() const {
    std::string text;
    if (!extents_.empty()) {
        text = "Dimensions size = ";
        for (auto const extent : extents_) text += std::to_string(extent) + " ";
        text += "\n";
    }
    return text + "Time took to create topology graph:" + fixed(1e6 * creation_time_.count(), 0) + " us.";
}

} // namespace osu
