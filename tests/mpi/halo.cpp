// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/topology.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

/// A field of 3 x 4 cells with a border, of doubles; a cell holds its rank.
constexpr std::size_t rows = 3, columns = 4, pitch = columns + 2;

struct field {
    std::vector<double> cells = std::vector<double>((rows + 2) * pitch, -1);

    explicit field(int rank) {
        for (std::size_t r = 1; r <= rows; ++r)
            for (std::size_t c = 1; c <= columns; ++c) at(r, c) = rank;
    }
    double& at(std::size_t r, std::size_t c) { return cells[r * pitch + c]; }
    /// The bytes from a cell on, to the end of the field.
    opaque_region from(std::size_t r, std::size_t c) {
        auto* const first = &at(r, c);
        return {reinterpret_cast<std::byte*>(first),
                static_cast<std::size_t>(cells.data() + cells.size() - first) * sizeof(double), false};
    }
};

mpi::owned_datatype column_type() {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_vector(rows, 1, pitch, MPI_DOUBLE, &made);
    return mpi::owned_datatype{made};
}

} // namespace

TEST_CASE("halo: the border of a periodic grid gets the neighbors' cells, by rows and by a datatype of columns") {
    mpi::group ranks{application::comm()};
    auto const grid = mpi::topology::cartesian(ranks, {ranks.size(), 1}, {true, true});
    mpi::group on_grid{grid.comm()};
    field mine{ranks.rank()};
    auto const column = column_type();
    auto faces = mpi::cartesian_neighbors(on_grid.comm());
    REQUIRE(faces.size() == 4);
    faces[0].send = mine.from(1, 1), faces[0].receive = mine.from(0, 1);           // above
    faces[1].send = mine.from(rows, 1), faces[1].receive = mine.from(rows + 1, 1); // below
    faces[2].send = mine.from(1, 1), faces[2].receive = mine.from(1, 0);           // left
    faces[3].send = mine.from(1, columns), faces[3].receive = mine.from(1, columns + 1);
    for (auto i : {0U, 1U}) faces[i].datatype = {MPI_DOUBLE, static_cast<int>(columns)};
    for (auto i : {2U, 3U}) faces[i].datatype = {column.get(), 1};
    auto const before = ledger::current();
    mpi::halo exchange{on_grid, faces};
    exchange();
    auto const& after = ledger::current();
    auto const above = (ranks.rank() + ranks.size() - 1) % ranks.size(), below = (ranks.rank() + 1) % ranks.size();
    std::size_t wrong = 0;
    for (std::size_t c = 1; c <= columns; ++c) wrong += mine.at(0, c) != above || mine.at(rows + 1, c) != below;
    for (std::size_t r = 1; r <= rows; ++r)
        wrong += mine.at(r, 0) != ranks.rank() || mine.at(r, columns + 1) != ranks.rank(); // one rank wide: itself
    for (auto const corner : {mine.at(0, 0), mine.at(rows + 1, columns + 1)}) wrong += corner != -1;
    CHECK(wrong == 0);
    CHECK(exchange.traffic().bytes == 2 * (rows + columns) * sizeof(double));
    CHECK(exchange.traffic().messages == 4);
    CHECK(after[call::irecv] - before[call::irecv] == 4);
    CHECK(after[call::isend] - before[call::isend] == 4);
    CHECK(after[call::waitall] - before[call::waitall] == 1);
}

TEST_CASE("halo: both messages between the two ranks of a periodic dimension go the right way") {
    mpi::group ranks{application::comm()};
    auto const grid = mpi::topology::cartesian(ranks, {ranks.size()}, {true});
    mpi::group on_grid{grid.comm()};
    auto faces = mpi::cartesian_neighbors(on_grid.comm());
    auto const me = ranks.rank(), size = ranks.size();
    int const out[] = {10 * me, 10 * me + 1}; // to the lower, to the upper neighbor
    int sent[] = {out[0], out[1]}, in[] = {-1, -1};
    for (std::size_t i = 0; i != 2; ++i) {
        faces[i].send = {reinterpret_cast<std::byte*>(&sent[i]), sizeof(int), false};
        faces[i].receive = {reinterpret_cast<std::byte*>(&in[i]), sizeof(int), false};
        faces[i].datatype = {MPI_INT};
    }
    mpi::halo exchange{on_grid, faces};
    exchange();
    CHECK(in[0] == 10 * ((me + size - 1) % size) + 1);
    CHECK(in[1] == 10 * ((me + 1) % size));
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
