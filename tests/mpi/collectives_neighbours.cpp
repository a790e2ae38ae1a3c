// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_forms.hpp"
#include "collective_kinds.hpp"
#include "collective_sweep.hpp"

#include <string>
#include <vector>

using namespace sonde;

namespace {

/// Are all blocks among these neighbours right, in every call mode?
void check_all(mpi::group& near) {
    auto const who = mpi::neighborhood_of(near.comm());
    auto const lopsided = !application::everywhere(who.sources.size() == who.destinations.size());
    operations::neighbours(near, [&](auto const& operation) {
        sweep::memories m{operation};
        auto const check = [&](auto pattern, std::string const& name) {
            auto const errors =
                sweep::errors(near.rank(), pattern, m); // in a CHECK, an exception would not end the job
            CAPTURE(name);
            CHECK(errors == 0);
        };
        call_modes::each(operation, slice{m.out.all()}, slice{m.in.all()}, check,
                         {.ranks = near.size(), .lopsided = lopsided});
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

TEST_CASE("neighbours on a line, on a ring, and on grids with and without ends") {
    auto const n = application::size();
    auto const half = n % 2 == 0 ? n / 2 : n;
    SUBCASE("line") { check_grid({n}, {false}); }
    SUBCASE("ring, of one or two ranks too: a rank is its own neighbour, or the other's twice") {
        check_grid({n}, {true});
    }
    SUBCASE("grid with ends") { check_grid({half, n / half}, {false, false}); }
    SUBCASE("torus") { check_grid({half, n / half}, {true, true}); }
    SUBCASE("tube one cell wide: both neighbours across it are the rank itself") { check_grid({n, 1}, {false, true}); }
}

TEST_CASE("neighbours in graphs: who sends is not who receives, and some do neither") {
    auto const me = application::rank(), n = application::size();
    SUBCASE("around") { check_graph({{(me + n - 1) % n}, {(me + 1) % n}}); }
    SUBCASE("to all ranks above") { check_graph(others()); }
    SUBCASE("the last to all, in an order of its own") {
        std::vector<int> all;
        for (int r = n; r-- != 0;) all.push_back(r);
        check_graph({{n - 1}, me == n - 1 ? all : std::vector<int>{}});
    }
    SUBCASE("none at all") { check_graph({}); }
}

TEST_CASE("neighbours in a graph that every rank knows whole") {
    auto const n = application::size();
    std::vector<int> ends, edges; // a path
    for (int r = 0; r != n; ++r) {
        if (r != 0) edges.push_back(r - 1);
        if (r != n - 1) edges.push_back(r + 1);
        ends.push_back(static_cast<int>(edges.size()));
    }
    edges.reserve(1); // one rank has no edge, but Open MPI wants a pointer
    MPI_Comm path = MPI_COMM_NULL;
    PMPI_Graph_create(application::comm(), n, ends.data(), edges.data(), 0, &path);
    {
        mpi::group near{path};
        check_all(near);
    }
    PMPI_Comm_free(&path);
}

TEST_CASE("on a grid neighbours come by dimension, the lower first, and none where it ends") {
    mpi::group ranks{application::comm()};
    auto const n = ranks.size(), me = ranks.rank();
    auto const grid = mpi::topology::cartesian(ranks, {1, n}, {true, false});
    auto const near = mpi::neighborhood_of(grid.comm());
    auto const below = me == 0 ? MPI_PROC_NULL : me - 1, above = me == n - 1 ? MPI_PROC_NULL : me + 1;
    CHECK(near.sources == std::vector{me, me, below, above});
    CHECK(near.destinations == near.sources);
}
