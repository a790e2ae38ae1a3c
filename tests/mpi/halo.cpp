// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/topology.hpp>
#include <sonde/sonde.hpp>

#include <climits>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

/// Where a face of an array lies: its dimension, and the first layer of its cells.
struct layer {
    std::size_t dimension;
    int first;
};

/// Extents of a block and widths of its ghost cells.
struct box {
    std::vector<int> extents, widths;

    std::size_t cells() const {
        std::size_t all = 1;
        for (std::size_t d = 0; d != extents.size(); ++d) all *= static_cast<std::size_t>(extents[d] + 2 * widths[d]);
        return all;
    }
    /// The indices of a face's cells, in the order of the array: of all cells those within the layers of the dimension
    /// and not among the ghost cells of others.
    std::vector<int> face(layer at) const {
        std::vector<int> found;
        for (std::size_t i = 0; i != cells(); ++i) {
            auto rest = static_cast<int>(i);
            auto inside = true;
            for (auto d = extents.size(); d-- != 0;) {
                auto const size = extents[d] + 2 * widths[d], place = rest % size;
                rest /= size;
                auto const first = d == at.dimension ? at.first : widths[d];
                auto const count = d == at.dimension ? widths[d] : extents[d];
                inside = inside && place >= first && place < first + count;
            }
            if (inside) found.push_back(static_cast<int>(i));
        }
        return found;
    }
    /// The layers that face i sends, and those that it receives.
    layer sent(std::size_t i) const { return {i / 2, i % 2 == 0 ? widths[i / 2] : extents[i / 2]}; }
    layer received(std::size_t i) const { return {i / 2, i % 2 == 0 ? 0 : extents[i / 2] + widths[i / 2]}; }
};

/// The indices of the cells that MPI packs from an array by a datatype.
std::vector<int> cells_packed(box const& of, MPI_Datatype type) {
    std::vector<int> array(of.cells());
    std::iota(array.begin(), array.end(), 0);
    std::vector<int> found(array.size());
    int at = 0;
    PMPI_Pack(array.data(), 1, type, found.data(), static_cast<int>(found.size() * sizeof(int)), &at, MPI_COMM_SELF);
    found.resize(static_cast<std::size_t>(at) / sizeof(int));
    return found;
}

/// An array on each rank: cells of the block tell rank and place, ghost cells are -1.
std::vector<int> field_of(box const& b, int rank) {
    std::vector<int> cells(b.cells(), -1);
    for (std::size_t i = 0; i != cells.size(); ++i) {
        auto rest = static_cast<int>(i);
        auto inside = true;
        for (auto d = b.extents.size(); d-- != 0;) {
            auto const size = b.extents[d] + 2 * b.widths[d], place = rest % size - b.widths[d];
            rest /= size;
            inside = inside && place >= 0 && place < b.extents[d];
        }
        if (inside) cells[i] = 10'000 * rank + static_cast<int>(i);
    }
    return cells;
}

/// Exchanges face by face, packed by hand.
void exchange_by_hand(box const& b, std::vector<int>& cells, std::vector<mpi::halo_neighbor> const& neighbors,
                      MPI_Comm grid) {
    for (std::size_t i = 0; i != neighbors.size(); ++i) {
        auto const opposite = i ^ 1; // messages to the lower neighbor arrive from the upper one
        std::vector<int> out, in(b.face(b.received(opposite)).size());
        for (auto const at : b.face(b.sent(i))) out.push_back(cells[static_cast<std::size_t>(at)]);
        auto const peer = [](int rank) { return rank < 0 ? MPI_PROC_NULL : rank; };
        PMPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_INT, peer(neighbors[i].rank), 0, in.data(),
                      static_cast<int>(in.size()), MPI_INT, peer(neighbors[opposite].rank), 0, grid, MPI_STATUS_IGNORE);
        if (neighbors[opposite].rank < 0) continue;
        std::size_t next = 0;
        for (auto const at : b.face(b.received(opposite))) cells[static_cast<std::size_t>(at)] = in[next++];
    }
}

/// True if the halo exchange of an array on a grid gives the same cells as an exchange by hand.
bool same_as_by_hand(box const& b, std::vector<int> const& extents_of_grid, std::vector<bool> const& periodic) {
    mpi::group ranks{application::comm()};
    auto const grid = mpi::topology::cartesian(ranks, extents_of_grid, periodic);
    mpi::group on_grid{grid.comm()};
    auto cells = field_of(b, on_grid.rank()), expected = cells;
    auto const faces = mpi::halo_faces(b.extents, b.widths, MPI_INT);
    auto const array = region{std::as_writable_bytes(std::span{cells})};
    auto const neighbors = mpi::cartesian_neighbors(on_grid.comm(), array, faces);
    mpi::halo exchange{on_grid, neighbors};
    exchange();
    exchange_by_hand(b, expected, neighbors, on_grid.comm());
    return application::everywhere(cells == expected);
}

} // namespace

TEST_CASE("halo_faces: datatypes of the cells to send and of the ghost cells, for both faces of each dimension") {
    for (auto const& b :
         {box{{5}, {2}}, box{{3, 4}, {1, 1}}, box{{4, 3, 5}, {2, 1, 3}}, box{{2, 3, 2, 4}, {1, 3, 2, 1}}}) {
        auto const faces = mpi::halo_faces(b.extents, b.widths, MPI_INT);
        REQUIRE(faces.size() == 2 * b.extents.size());
        for (std::size_t i = 0; i != faces.size(); ++i) {
            CAPTURE(i);
            CHECK(cells_packed(b, faces[i].send.get()) == b.face(b.sent(i)));
            CHECK(cells_packed(b, faces[i].receive.get()) == b.face(b.received(i)));
        }
    }
}

TEST_CASE("halo_faces: a dimension without ghost cells has empty faces, and the others contain all of it") {
    box const b{{3, 4, 2}, {1, 1, 0}};
    auto const faces = mpi::halo_faces(b.extents, b.widths, MPI_INT);
    REQUIRE(faces.size() == 6);
    CHECK(cells_packed(b, faces[0].send.get()).size() == 8);
    CHECK(cells_packed(b, faces[0].send.get()) == b.face(b.sent(0)));
    for (auto i : {4U, 5U}) {
        CHECK(cells_packed(b, faces[i].send.get()).empty());
        CHECK(cells_packed(b, faces[i].receive.get()).empty());
    }
}

TEST_CASE("halo_faces: the halo exchange of an array equals one that is packed by hand, on any grid") {
    auto const n = application::size();
    CHECK(same_as_by_hand({{6}, {2}}, {n}, {true}));
    CHECK(same_as_by_hand({{3, 4}, {1, 2}}, {n, 1}, {true, true}));
    CHECK(same_as_by_hand({{3, 4}, {1, 1}}, {1, n}, {false, false}));
    CHECK(same_as_by_hand({{3, 2, 5}, {1, 2, 3}}, {1, n, 1}, {true, false, true}));
    if (n == 4) CHECK(same_as_by_hand({{3, 4, 2}, {1, 2, 0}}, {2, 2}, {true, false}));
}

TEST_CASE("halo_faces: a halo is an MPI_Irecv and an MPI_Isend for each face, and one MPI_Waitall") {
    mpi::group ranks{application::comm()};
    auto const grid = mpi::topology::cartesian(ranks, {ranks.size(), 1}, {true, true});
    mpi::group on_grid{grid.comm()};
    auto const faces = mpi::halo_faces({3, 4}, {1, 1}, MPI_DOUBLE);
    std::vector<double> cells(5 * 6);
    mpi::halo exchange{
        on_grid, mpi::cartesian_neighbors(on_grid.comm(), region{std::as_writable_bytes(std::span{cells})}, faces)};
    auto const before = ledger::current();
    exchange();
    auto const& after = ledger::current();
    CHECK(exchange.traffic().bytes == 2 * (3 + 4) * sizeof(double));
    CHECK(exchange.traffic().messages == 4);
    CHECK(after[call::irecv] - before[call::irecv] == 4);
    CHECK(after[call::isend] - before[call::isend] == 4);
    CHECK(after[call::waitall] - before[call::waitall] == 1);
}

TEST_CASE("halo_faces: wrong extents and widths, too few faces, and an array that is too small are refused") {
    auto const before = ledger::current().datatypes.size();
    CHECK_THROWS_AS(mpi::halo_faces({}, {}, MPI_INT), std::invalid_argument);
    CHECK_THROWS_AS(mpi::halo_faces({3, 4}, {1}, MPI_INT), std::invalid_argument);
    CHECK_THROWS_AS(mpi::halo_faces({3, 0}, {1, 0}, MPI_INT), std::invalid_argument);
    CHECK_THROWS_AS(mpi::halo_faces({3}, {-1}, MPI_INT), std::invalid_argument);
    CHECK_THROWS_AS(mpi::halo_faces({3}, {4}, MPI_INT), std::invalid_argument);
    CHECK_THROWS_AS(mpi::halo_faces({INT_MAX}, {1}, MPI_INT), std::length_error);
    CHECK(ledger::current().datatypes.size() == before);
    mpi::group ranks{application::comm()};
    auto const grid = mpi::topology::cartesian(ranks, {ranks.size(), 1}, {true, true});
    mpi::group on_grid{grid.comm()};
    auto const line = mpi::halo_faces({6}, {1}, MPI_INT), plane = mpi::halo_faces({3, 4}, {1, 1}, MPI_INT);
    std::vector<int> cells(28); // of 30, of which the faces contain 29
    auto const array = region{std::as_writable_bytes(std::span{cells})};
    CHECK_THROWS_AS(static_cast<void>(mpi::cartesian_neighbors(on_grid.comm(), array, line)), std::invalid_argument);
    auto const make = [&] { mpi::halo{on_grid, mpi::cartesian_neighbors(on_grid.comm(), array, plane)}; };
    CHECK_THROWS_AS(make(), std::length_error);
}

TEST_CASE("halo: beyond the edge of a grid nothing is counted, waited for or written") {
    mpi::group ranks{application::comm()};
    std::byte out[8]{}, in[8]{};
    in[0] = std::byte{42};
    mpi::halo alone{ranks, {{.rank = -1, .send = region{out}, .receive = region{in}}}};
    alone();
    CHECK(in[0] == std::byte{42});
    CHECK(alone.traffic().bytes == 0);
    CHECK(alone.traffic().messages == 0);
    mpi::halo without_regions{ranks, {{.rank = -1, .send = {}, .receive = {}, .datatype = {MPI_DOUBLE, 4}}}};
    CHECK_NOTHROW(without_regions());
    mpi::halo none{ranks, {}};
    CHECK_NOTHROW(none());
}

TEST_CASE("halo: a record has the bytes of all ranks; a region that is too small is refused") {
    mpi::group ranks{application::comm()};
    auto const next = (ranks.rank() + 1) % ranks.size(), previous = (ranks.rank() + ranks.size() - 1) % ranks.size();
    host_allocation memory{4096};
    auto const part = [&](std::size_t i) { return memory.bytes().subspan(i * 1024, 1024); };
    mpi::halo exchange{ranks,
                       {{.rank = next, .send = part(0), .receive = part(1), .tag = {1, 2}},
                        {.rank = previous, .send = part(2), .receive = part(3), .tag = {2, 1}}}};
    auto const r = run(ranks, plan<>{}.until(samples{10}), exchange);
    CHECK(r.total.bytes == static_cast<std::size_t>(ranks.size()) * 2048);
    CHECK(r.total.messages == static_cast<std::size_t>(ranks.size()) * 2);
    CHECK(r.initiators == ranks.size());
    auto const too_small = [&] {
        mpi::halo{ranks, {{.rank = next, .send = part(0).first(4), .receive = part(1), .datatype = {MPI_DOUBLE, 1}}}};
    };
    CHECK_THROWS_AS(too_small(), std::length_error);
}

TEST_CASE("halo: a neighbor that is no rank, and a tag of the group, are refused") {
    mpi::group ranks{application::comm()};
    std::vector<std::byte> cells(16);
    auto const region = std::span{cells}.first(8), other = std::span{cells}.last(8);
    CHECK_THROWS_AS((mpi::halo{ranks, {{ranks.size(), region, other}}}), std::invalid_argument);
    for (auto const tag : {-7, 32766, 32767})
        CHECK_THROWS_AS((mpi::halo{ranks, {{0, region, other, {}, tag}}}), std::invalid_argument);
    CHECK_NOTHROW(mpi::halo{ranks, {{no_peer, region, other, {}, -7}}}); // the rest is not looked at
}

TEST_CASE("cartesian_neighbors: a communicator without a grid is refused") {
    mpi::group ranks{application::comm()};
    CHECK_THROWS_AS(static_cast<void>(mpi::cartesian_neighbors(ranks.comm())), std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(mpi::cartesian_neighbors(MPI_COMM_WORLD)), std::invalid_argument);
}
