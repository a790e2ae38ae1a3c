// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"

#include <string>
#include <vector>

using namespace sonde;

namespace {

/// Checks all blocks among these neighbors, in every call mode.
void check_all(mpi::group& near) {
    auto const who = mpi::neighborhood_of(near.comm());
    auto const asymmetric = !application::everywhere(who.sources.size() == who.destinations.size());
    operations::neighbors(near, [&](auto const& operation) {
        sweep::memories m{operation};
        auto const check = [&](auto pattern, std::string const& name) {
            auto const errors =
                sweep::errors(near.rank(), pattern, m); // in a CHECK, an exception would not end the job
            CAPTURE(name);
            CHECK(errors == 0);
        };
        call_modes::each(operation, slice{m.out.all()}, slice{m.in.all()}, check,
                         {.ranks = near.size(), .asymmetric = asymmetric});
    });
}

void check_grid(std::vector<int> extents, std::vector<bool> const& periodic) {
    mpi::group ranks{application::comm()};
    auto const grid = mpi::topology::cartesian(ranks, std::move(extents), periodic);
    mpi::group near{grid.comm()};
    CHECK(near.rank() == ranks.rank());
    check_all(near);
}

void check_graph(mpi::neighborhood const& of_mine) {
    mpi::group ranks{application::comm()};
    auto const graph = mpi::topology::dist_graph(ranks, of_mine.sources, of_mine.destinations);
    mpi::group near{graph.comm()};
    auto const found = mpi::neighborhood_of(near.comm());
    CHECK(found.sources == of_mine.sources);
    CHECK(found.destinations == of_mine.destinations);
    check_all(near);
}

/// Ranks below and above this one.
mpi::neighborhood others() {
    mpi::neighborhood n;
    for (int r = 0; r < application::rank(); ++r) n.sources.push_back(r);
    for (int r = application::rank() + 1; r < application::size(); ++r) n.destinations.push_back(r);
    return n;
}

} // namespace

TEST_CASE("neighbors on a line, on a ring, and on grids with and without boundaries") {
    auto const n = application::size();
    auto const half = n % 2 == 0 ? n / 2 : n;
    SUBCASE("line") { check_grid({n}, {false}); }
    SUBCASE("ring, also of one rank, its own neighbor, and of two, twice each other's") { check_grid({n}, {true}); }
    SUBCASE("grid with boundaries") { check_grid({half, n / half}, {false, false}); }
    SUBCASE("torus") { check_grid({half, n / half}, {true, true}); }
    SUBCASE("tube one cell wide: both neighbors across it are the rank itself") { check_grid({n, 1}, {false, true}); }
}

TEST_CASE("neighbors in graphs: sources differ from destinations, and some ranks have neither") {
    auto const me = application::rank(), n = application::size();
    SUBCASE("directed ring") { check_graph({{(me + n - 1) % n}, {(me + 1) % n}}); }
    SUBCASE("from each rank to all higher ranks") { check_graph(others()); }
    SUBCASE("from the last rank to all, in descending order") {
        std::vector<int> all;
        for (int r = n; r-- != 0;) all.push_back(r);
        check_graph({{n - 1}, me == n - 1 ? all : std::vector<int>{}});
    }
    SUBCASE("no edges") { check_graph({}); }
}

TEST_CASE("neighbors in a graph that every rank knows completely") {
    auto const n = application::size();
    std::vector<int> ends, edges; // a path
    for (int r = 0; r != n; ++r) {
        if (r != 0) edges.push_back(r - 1);
        if (r != n - 1) edges.push_back(r + 1);
        ends.push_back(static_cast<int>(edges.size()));
    }
    edges.reserve(1); // one rank has no edge, but Open MPI requires a pointer
    MPI_Comm path = MPI_COMM_NULL;
    PMPI_Graph_create(application::comm(), n, ends.data(), edges.data(), 0, &path);
    {
        mpi::group near{path};
        check_all(near);
    }
    PMPI_Comm_free(&path);
}

TEST_CASE("on a grid neighbors come by dimension, the lower first, and none beyond a boundary") {
    mpi::group ranks{application::comm()};
    auto const n = ranks.size(), me = ranks.rank();
    auto const grid = mpi::topology::cartesian(ranks, {1, n}, {true, false});
    auto const near = mpi::neighborhood_of(grid.comm());
    auto const below = me == 0 ? MPI_PROC_NULL : me - 1, above = me == n - 1 ? MPI_PROC_NULL : me + 1;
    CHECK(near.sources == std::vector{me, me, below, above});
    CHECK(near.destinations == near.sources);
}

TEST_CASE("the partners of an exchange are the neighbors in a topology, as ranks of the group that collects") {
    mpi::group ranks{application::comm()};
    auto const n = ranks.size(), me = ranks.rank();
    auto const line = mpi::topology::cartesian(ranks, {n}, {false});
    std::vector<int> near; // of a line
    for (auto const rank : {me - 1, me + 1})
        if (rank >= 0 && rank < n) near.push_back(rank);
    if (near.empty()) near.push_back(MPI_PROC_NULL);
    CHECK(mpi::partners(line.comm(), ranks) == near);

    MPI_Comm reversed = MPI_COMM_NULL;
    PMPI_Comm_split(application::comm(), 0, n - me, &reversed);
    auto const star = mpi::topology::dist_graph(ranks, me == 0 ? std::vector<int>{} : std::vector<int>{0},
                                                me == 0 && n > 1 ? others().destinations : std::vector<int>{});
    std::vector<int> of_star{n == 1 ? MPI_PROC_NULL : n - 1}; // rank 0 of the star is the last one there
    if (me == 0 && n > 1) {
        of_star.clear();
        for (int r = 0; r != n - 1; ++r) of_star.push_back(r);
    }
    CHECK(mpi::partners(star.comm(), mpi::group{reversed}) == of_star);
    PMPI_Comm_free(&reversed);
    CHECK(mpi::partners(MPI_COMM_NULL, ranks) ==
          std::vector<int>{MPI_PROC_NULL}); // of a rank that the grid has no place for

    mpi::group const alone{MPI_COMM_SELF};
    if (n > 1)
        CHECK_THROWS_WITH_AS(static_cast<void>(mpi::partners(line.comm(), alone)),
                             "sonde::mpi: a neighbor is no rank of the group", std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(mpi::partners(application::comm(), ranks)), std::invalid_argument);
}
