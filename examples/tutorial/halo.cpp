// SPDX-License-Identifier: BSL-1.0

// Halo exchange on a periodic two-dimensional grid: three ways, by name, compared in turns.

// [includes]
#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/topology.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>
// [/includes]

// [field]
/// A field of n x n numbers with a border for the neighbors' cells.
class field {
public:
    field(int n, int value) : n_{n}, pitch_{n + 2}, cells_(static_cast<std::size_t>(pitch_ * pitch_), value) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_vector(n, 1, pitch_, MPI_DOUBLE, &made);
        column_ = sonde::mpi::owned_datatype{made}; // committed, and freed with the field
    }
    /// The cells to and from a neighbor: a row from (r, c) and one into (to_r, to_c), or a column.
    void set_row(sonde::mpi::halo_neighbor& at, int r, int to_r) { set(at, r, 1, to_r, 1, {MPI_DOUBLE, n_}); }
    void set_column(sonde::mpi::halo_neighbor& at, int c, int to_c) { set(at, 1, c, 1, to_c, {column_.get(), 1}); }
    double at(int r, int c) const { return cells_[static_cast<std::size_t>(r * pitch_ + c)]; }

private:
    void set(sonde::mpi::halo_neighbor& at, int r, int c, int to_r, int to_c, sonde::mpi::elements cells) {
        at.send = from(r, c);
        at.receive = from(to_r, to_c);
        at.datatype = cells;
    }
    /// The bytes from a cell to the end: the datatype says which of them belong to a message.
    sonde::region from(int r, int c) {
        return std::as_writable_bytes(std::span{cells_}.subspan(static_cast<std::size_t>(r * pitch_ + c)));
    }

    int n_;
    int pitch_;
    std::vector<double> cells_;
    sonde::mpi::owned_datatype column_;
};
// [/field]

// [neighbors]
/// The neighbors of this rank, each with its side of the field: above, below, left, right.
std::vector<sonde::mpi::halo_neighbor> neighbors_of(MPI_Comm grid, field& cells, int n) {
    auto found = sonde::mpi::cartesian_neighbors(grid); // ranks and tags; any other list will do
    cells.set_row(found[0], 1, 0);
    cells.set_row(found[1], n, n + 1);
    cells.set_column(found[2], 1, 0);
    cells.set_column(found[3], n, n + 1);
    return found;
}
// [/neighbors]

/// The same exchange by one MPI_Sendrecv in each direction.
// [sendrecv]
void exchange_in_turn(MPI_Comm grid, std::vector<sonde::mpi::halo_neighbor> const& to) {
    for (std::size_t i = 0; i != to.size(); ++i) {
        auto const &there = to[i], &back = to[i ^ 1]; // what goes up comes from below
        MPI_Sendrecv(there.send.data(), there.datatype.count, there.datatype.type, there.rank, there.tag.send,
                     back.receive.data(), back.datatype.count, back.datatype.type, back.rank, back.tag.recv, grid,
                     MPI_STATUS_IGNORE);
    }
}
// [/sendrecv]

bool compare(int n) {
    // [compare]
    sonde::mpi::group all{MPI_COMM_WORLD};
    std::vector<int> extents(2);
    MPI_Dims_create(all.size(), 2, extents.data());
    auto const grid = sonde::mpi::topology::cartesian(all, extents, {true, true});
    sonde::mpi::group ranks{grid.comm()};
    field cells{n, ranks.rank()};
    auto const neighbors = neighbors_of(grid.comm(), cells, n);

    sonde::mpi::halo halo{ranks, neighbors}; // MPI_Irecv, MPI_Isend, one MPI_Waitall
    sonde::with_traffic in_turn{halo.traffic(), [&] { exchange_in_turn(grid.comm(), neighbors); }};
    auto const plan = sonde::plan<>{}.until(sonde::samples{400} || sonde::time_budget{sonde::seconds{1}});
    auto const found =
        sonde::compare(ranks, plan, sonde::named{"Irecv, Isend", halo}, sonde::named{"Sendrecv", in_turn});

    auto report = sonde::on_root{ranks, sonde::table{stdout}};
    for (auto const& record : found.records) report(record); // with their names
    auto const& chosen = found.records[sonde::fastest(found)].point.name;
    if (ranks.rank() == 0) std::printf("chosen: %s\n", chosen.c_str());
    // [/compare]
    auto const is_from = [&](double cell, int neighbor) {
        return cell == neighbors[static_cast<std::size_t>(neighbor)].rank;
    };
    return is_from(cells.at(0, 1), 0) && is_from(cells.at(n + 1, n), 1) && is_from(cells.at(n, 0), 2) &&
           is_from(cells.at(1, n + 1), 3);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const correct = compare(256);
    MPI_Finalize();
    return correct ? 0 : 1;
}
