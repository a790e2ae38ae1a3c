// SPDX-License-Identifier: BSL-1.0

// Halo exchange on a periodic two-dimensional grid: two ways, by name, compared in turns.

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/topology.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

/// The same exchange by one MPI_Sendrecv in each direction.
void exchange_in_turn(MPI_Comm grid, std::vector<sonde::mpi::halo_neighbor> const& to) {
    for (std::size_t i = 0; i != to.size(); ++i) {
        auto const &there = to[i], &back = to[i ^ 1]; // what goes up comes from below
        MPI_Sendrecv(there.send.data(), 1, there.datatype.type, there.rank, there.tag.send, back.receive.data(), 1,
                     back.receive_datatype->type, back.rank, back.tag.recv, grid, MPI_STATUS_IGNORE);
    }
}

bool compare(int n) {
    // [grid]
    sonde::mpi::group all{MPI_COMM_WORLD};
    std::vector<int> extents(2);
    MPI_Dims_create(all.size(), 2, extents.data());
    auto const grid = sonde::mpi::topology::cartesian(all, extents, {true, true});
    sonde::mpi::group ranks{grid.comm()};

    std::vector<double> cells(static_cast<std::size_t>((n + 2) * (n + 2)), ranks.rank());
    auto const faces = sonde::mpi::halo_faces({n, n}, {1, 1}, MPI_DOUBLE); // extents and widths
    auto const neighbors =
        sonde::mpi::cartesian_neighbors(grid.comm(), std::as_writable_bytes(std::span{cells}), faces);
    // [/grid]

    // [compare]
    sonde::mpi::halo halo{ranks, neighbors}; // MPI_Irecv, MPI_Isend, one MPI_Waitall
    sonde::with_traffic in_turn{halo.traffic(), [&] { exchange_in_turn(grid.comm(), neighbors); }};
    auto const plan = sonde::plan<>{}.until(sonde::samples{400} || sonde::time_budget{sonde::seconds{1}});
    auto const found =
        sonde::compare(ranks, plan, sonde::named{"Irecv, Isend", halo}, sonde::named{"Sendrecv", in_turn});

    sonde::on_root{ranks, sonde::table{stdout}}(found);
    // [/compare]
    auto const is_from = [&](int row, int column, int neighbor) {
        return cells[static_cast<std::size_t>(row * (n + 2) + column)] ==
               neighbors[static_cast<std::size_t>(neighbor)].rank;
    };
    return is_from(0, 1, 0) && is_from(n + 1, n, 1) && is_from(n, 0, 2) && is_from(1, n + 1, 3);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const correct = compare(256);
    MPI_Finalize();
    return correct ? 0 : 1;
}
