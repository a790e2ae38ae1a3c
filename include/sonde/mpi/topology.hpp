// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// A communicator with a process topology, freed at the end: `mpi::group{topology.comm()}` measures on it.
class topology {
public:
    /// MPI_Cart_create: a grid of all ranks, in the order of their ranks. Throws std::invalid_argument where the
    /// extents do not multiply to the number of ranks, or where there are more or fewer of them than of `periodic`.
    /// Collective over the group.
    static topology cartesian(group const& ranks, std::vector<int> extents, std::vector<bool> const& periodic) {
        require_fit(extents, ranks.size());
        std::vector<int> const wraps(periodic.begin(), periodic.end());
        if (extents.size() != wraps.size())
            throw std::invalid_argument{"sonde::mpi::topology: " + std::to_string(extents.size()) +
                                        " extents, but periodic says " + std::to_string(wraps.size())};
        topology made;
        check(MPI_Cart_create(ranks.comm(), static_cast<int>(extents.size()), extents.data(), wraps.data(), 0,
                              &made.comm_),
              "MPI_Cart_create");
        return made;
    }
    /// MPI_Dist_graph_create_adjacent without weights: this rank receives from `sources`, sends to `destinations`.
    /// Throws std::invalid_argument, on this rank alone, for a neighbour that is no rank. Collective over the group.
    static topology graph(group const& ranks, std::vector<int> const& sources, std::vector<int> const& destinations) {
        for (auto const* const side : {&sources, &destinations})
            for (auto const neighbour : *side)
                if (neighbour < 0 || neighbour >= ranks.size())
                    throw std::invalid_argument{"sonde::mpi::topology: neighbour " + std::to_string(neighbour) +
                                                " is none of the ranks 0 to " + std::to_string(ranks.size() - 1)};
        topology made;
        check(MPI_Dist_graph_create_adjacent(ranks.comm(), static_cast<int>(sources.size()), sources.data(),
                                             MPI_UNWEIGHTED, static_cast<int>(destinations.size()), destinations.data(),
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made.comm_),
              "MPI_Dist_graph_create_adjacent");
        return made;
    }

    topology(topology&& other) noexcept : comm_{std::exchange(other.comm_, MPI_COMM_NULL)} {}
    topology& operator=(topology&&) = delete;
    ~topology() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    MPI_Comm comm() const { return comm_; }

private:
    topology() = default;
    static void require_fit(std::vector<int> const& extents, int ranks) {
        long long cells = 1;
        std::string grid;
        for (auto const extent : extents) {
            grid += (grid.empty() ? "" : " x ") + std::to_string(extent);
            if (cells <= ranks) cells *= extent > 0 ? extent : 0; // no further than says enough: it would overflow
        }
        if (cells != ranks)
            throw std::invalid_argument{"sonde::mpi::topology: a grid of " + grid + " does not fit " +
                                        std::to_string(ranks) + " ranks"};
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Whom this rank hears from and speaks to, in the order of a neighbourhood collective's blocks; MPI_PROC_NULL where a
/// grid ends.
struct neighbourhood {
    std::vector<int> sources;
    std::vector<int> destinations;
};

namespace detail {

inline neighbourhood on_grid(MPI_Comm comm) {
    int dimensions = 0;
    check(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
    std::vector<int> both;
    for (int d = 0; d != dimensions; ++d) {
        int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
        check(MPI_Cart_shift(comm, d, 1, &below, &above), "MPI_Cart_shift");
        both.push_back(below);
        both.push_back(above);
    }
    return {both, both};
}

inline neighbourhood in_graph(MPI_Comm comm) {
    int rank = 0, n = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check(MPI_Graph_neighbors_count(comm, rank, &n), "MPI_Graph_neighbors_count");
    std::vector<int> both(static_cast<std::size_t>(n));
    check(MPI_Graph_neighbors(comm, rank, n, both.data()), "MPI_Graph_neighbors");
    return {both, both};
}

inline neighbourhood in_distributed_graph(MPI_Comm comm) {
    int in = 0, out = 0, weighted = 0;
    check(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted), "MPI_Dist_graph_neighbors_count");
    neighbourhood found{std::vector<int>(static_cast<std::size_t>(in)),
                        std::vector<int>(static_cast<std::size_t>(out))};
    std::vector<int> in_weights(found.sources.size()), out_weights(found.destinations.size());
    check(MPI_Dist_graph_neighbors(comm, in, found.sources.data(), weighted != 0 ? in_weights.data() : MPI_UNWEIGHTED,
                                   out, found.destinations.data(), weighted != 0 ? out_weights.data() : MPI_UNWEIGHTED),
          "MPI_Dist_graph_neighbors");
    return found;
}

} // namespace detail

/// The neighbours of this rank in a communicator with a topology. (MPI 4.0, 8.6: their order.) Throws
/// std::invalid_argument for one without.
[[nodiscard]] inline neighbourhood neighbourhood_of(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(comm, &kind), "MPI_Topo_test");
    if (kind == MPI_CART) return detail::on_grid(comm);
    if (kind == MPI_GRAPH) return detail::in_graph(comm);
    if (kind == MPI_DIST_GRAPH) return detail::in_distributed_graph(comm);
    throw std::invalid_argument{"sonde::mpi: the communicator has no topology, so its ranks have no neighbours"};
}

} // namespace sonde::mpi
