// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// Owner of a communicator with a virtual process topology. `mpi::group{topology.comm()}` measures on it.
class topology {
public:
    /// MPI_Cart_create: a grid of all ranks, without reordering. Throws std::invalid_argument on all ranks if on any
    /// rank the product of the extents is not the number of ranks, or `extents` and `periodic` differ in length.
    /// Collective over the group.
    [[nodiscard]] static topology cartesian(group const& ranks, std::vector<int> extents,
                                            std::vector<bool> const& periodic) {
        std::vector<int> const periods(periodic.begin(), periodic.end());
        detail::require_on_all(ranks, problem_of(extents, periods, ranks.size()));
        topology made;
        check(MPI_Cart_create(ranks.comm(), detail::int_count(extents.size()), extents.data(), periods.data(), 0,
                              made.comm_.address()),
              "MPI_Cart_create");
        return made;
    }
    /// MPI_Dist_graph_create_adjacent without weights: this rank receives from `sources` and sends to `destinations`.
    /// Throws std::invalid_argument on all ranks if any rank has a neighbor outside the group. Collective over the
    /// group.
    [[nodiscard]] static topology dist_graph(group const& ranks, std::vector<int> const& sources,
                                             std::vector<int> const& destinations) {
        auto const problem = problem_of(sources, ranks.size());
        detail::require_on_all(ranks, problem.empty() ? problem_of(destinations, ranks.size()) : problem);
        topology made;
        check(MPI_Dist_graph_create_adjacent(ranks.comm(), static_cast<int>(sources.size()), sources.data(),
                                             MPI_UNWEIGHTED, static_cast<int>(destinations.size()), destinations.data(),
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made.comm_.address()),
              "MPI_Dist_graph_create_adjacent");
        return made;
    }

    /// The communicator with the topology.
    MPI_Comm comm() const { return comm_.get(); }

private:
    topology() = default;

    /// The reason why the extents do not form a grid of `size` ranks; empty if they do.
    static std::string problem_of(std::vector<int> const& extents, std::vector<int> const& periods, int size) {
        long long cells = 1;
        std::string grid;
        for (auto const extent : extents) {
            grid += (grid.empty() ? "" : " x ") + std::to_string(extent);
            if (cells <= size) cells *= extent > 0 ? extent : 0; // stops above `size`, before it overflows
        }
        if (cells != size)
            return "sonde::mpi::topology: a grid of " + grid + " does not fit " + std::to_string(size) + " ranks";
        if (extents.size() == periods.size()) return "";
        return "sonde::mpi::topology: " + std::to_string(extents.size()) + " extents, but periodic says " +
               std::to_string(periods.size());
    }
    /// The reason why these cannot be neighbors of a rank in a group of `size` ranks; empty if they can.
    static std::string problem_of(std::vector<int> const& neighbors, int size) {
        if (neighbors.size() > INT_MAX)
            return "sonde::mpi::topology: " + std::to_string(neighbors.size()) + " neighbors of a rank";
        for (auto const neighbor : neighbors)
            if (neighbor < 0 || neighbor >= size)
                return "sonde::mpi::topology: neighbor " + std::to_string(neighbor) + " is none of the ranks 0 to " +
                       std::to_string(size - 1);
        return "";
    }

    detail::owned_communicator comm_{MPI_COMM_NULL, detail::free_communicator};
};

/// Neighbors of this rank, in the order of the blocks of a neighborhood collective; MPI_PROC_NULL beyond the edge of a
/// grid that is not periodic.
struct neighborhood {
    std::vector<int> sources;      // ranks from which blocks come
    std::vector<int> destinations; // ranks to which blocks go
};

/// The neighbors of this rank in a communicator with a topology (MPI 4.0, 8.6: their order). Not collective. Throws
/// std::invalid_argument for a communicator without a topology.
[[nodiscard]] inline neighborhood neighborhood_of(MPI_Comm comm) {
    auto const ranks = [](int n) { return std::vector<int>(static_cast<std::size_t>(n)); };
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(comm, &kind), "MPI_Topo_test");
    if (kind == MPI_CART) {
        int dimensions = 0;
        check(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
        auto found = ranks(2 * dimensions);
        for (int d = 0; d != dimensions; ++d) {
            auto* const pair = found.data() + std::ptrdiff_t{2} * d;
            check(MPI_Cart_shift(comm, d, 1, pair, pair + 1), "MPI_Cart_shift");
        }
        return {found, found};
    }
    if (kind == MPI_GRAPH) {
        int rank = 0, n = 0;
        check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
        check(MPI_Graph_neighbors_count(comm, rank, &n), "MPI_Graph_neighbors_count");
        auto found = ranks(n);
        check(MPI_Graph_neighbors(comm, rank, n, found.data()), "MPI_Graph_neighbors");
        return {found, found};
    }
    if (kind != MPI_DIST_GRAPH)
        throw std::invalid_argument{"sonde::mpi: the communicator has no topology, so its ranks have no neighbors"};
    int in = 0, out = 0, weighted = 0;
    check(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted), "MPI_Dist_graph_neighbors_count");
    neighborhood found{ranks(in), ranks(out)};
    auto in_weights = ranks(in), out_weights = ranks(out);
    check(MPI_Dist_graph_neighbors(comm, in, found.sources.data(), weighted != 0 ? in_weights.data() : MPI_UNWEIGHTED,
                                   out, found.destinations.data(), weighted != 0 ? out_weights.data() : MPI_UNWEIGHTED),
          "MPI_Dist_graph_neighbors");
    return found;
}

/// The ranks with which this rank exchanges on a communicator with a topology, as ranks of a group of the same
/// processes, in ascending order: the partners of an exchange of a probe, whose lateness that group collects.
/// MPI_PROC_NULL, which is no partner, if there are none, and of MPI_COMM_NULL, which a rank has that is not in the
/// topology. Not collective. Throws std::invalid_argument for a
/// communicator without a topology, and for a neighbor that is no rank of the group.
[[nodiscard]] inline std::vector<int> partners(MPI_Comm topology, group const& ranks) {
    if (topology == MPI_COMM_NULL) return {MPI_PROC_NULL};
    auto neighbors = neighborhood_of(topology);
    auto& there = neighbors.sources;
    there.insert(there.end(), neighbors.destinations.begin(), neighbors.destinations.end());
    std::erase(there, MPI_PROC_NULL);
    if (there.empty()) return {MPI_PROC_NULL};
    auto here = there;
    MPI_Group from = MPI_GROUP_NULL, to = MPI_GROUP_NULL;
    check(MPI_Comm_group(topology, &from), "MPI_Comm_group");
    check(MPI_Comm_group(ranks.comm(), &to), "MPI_Comm_group");
    auto const code = MPI_Group_translate_ranks(from, static_cast<int>(there.size()), there.data(), to, here.data());
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    check(code, "MPI_Group_translate_ranks");
    for (auto const rank : here)
        if (rank == MPI_UNDEFINED) throw std::invalid_argument{"sonde::mpi: a neighbor is no rank of the group"};
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    return here;
}

} // namespace sonde::mpi
