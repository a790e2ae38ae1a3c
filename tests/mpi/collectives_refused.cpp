// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;
using std::invalid_argument;
using std::length_error;

namespace {

/// The text of an exception of type E, or a text about another exception or none.
template <class E, class F>
std::string exception_text(F f) {
    try {
        f();
    } catch (E const& e) {
        return e.what();
    } catch (std::exception const& e) {
        return std::string{"another exception: "} + e.what();
    }
    return "no exception";
}

void has(std::string const& text, std::string const& part) {
    CAPTURE(text);
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
}

/// Checks that an operation of these arguments is refused with this part of a text.
template <class Op, class E = invalid_argument>
void refuses(std::string const& part, auto const&... arguments) {
    has(exception_text<E>([&] { static_cast<void>(Op{arguments...}); }), part);
}

/// The same of a pattern whose region is too small.
template <template <class, class, class> class Mode>
void too_small(std::string const& part, auto const&... arguments) {
    has(exception_text<length_error>([&] { static_cast<void>(Mode{arguments...}); }), part);
}

constexpr std::size_t too_many = std::size_t{INT_MAX} + 1;

} // namespace

TEST_CASE("an invalid root is refused by every rooted collective") {
    mpi::group ranks{application::comm()};
    auto const n = ranks.size();
    for (auto const at : {-1, n, INT_MIN, INT_MAX}) {
        auto const text = "root " + std::to_string(at) + " is none of the ranks 0 to " + std::to_string(n - 1);
        auto const block = operations::three();
        auto const blocks = operations::backwards(operations::unequal(n));
        refuses<mpi::bcast>(text, ranks, block, at);
        refuses<mpi::gather>(text, ranks, block, at);
        refuses<mpi::gatherv>(text, ranks, blocks, at);
        refuses<mpi::reduce>(text, ranks, block, MPI_SUM, at);
        refuses<mpi::scatter>(text, ranks, block, at);
        refuses<mpi::scatterv>(text, ranks, blocks, at);
    }
}

TEST_CASE("a root that differs between ranks is refused on all ranks, by each call mode") {
    mpi::group ranks{application::comm()};
    std::vector<std::byte> bytes(8);
    mpi::bcast const odd{ranks, {MPI_BYTE, 8}, ranks.rank() == 0 ? 0 : ranks.size() - 1};
    auto const last = std::to_string(ranks.size() - 1);
    auto const refused = [&](auto pattern) {
        auto const text = exception_text<invalid_argument>([&] { (void)run(ranks, plan<>{}, pattern); });
        if (ranks.size() == 1) CHECK(text == "no exception");
        else has(text, "the root must be equal on all ranks; rank 0 has 0, rank 1 has " + last);
    };
    refused(mpi::blocking{odd, slice{bytes}});
    refused(mpi::nonblocking{odd, slice{bytes}});
    mpi::bcast const rotating{ranks, {MPI_BYTE, 8}, root_rank::rotating()};
    CHECK(exception_text<invalid_argument>([&] {
              (void)run(ranks, plan<>{}, mpi::blocking{rotating, slice{bytes}});
          }) == "no exception");
}

#if MPI_VERSION < 4
TEST_CASE("counts and displacements that exceed an int are refused before MPI 4.0") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<std::size_t>(ranks.size());
    auto const text = std::to_string(too_many) + " elements; ", most = " counts to " + std::to_string(INT_MAX);
    std::vector<std::size_t> counts(n, 1);
    refuses<mpi::allreduce, length_error>(text, ranks, mpi::block{MPI_BYTE, too_many}, MPI_SUM);
    refuses<mpi::allreduce, length_error>(most, ranks, mpi::block{MPI_BYTE, too_many}, MPI_SUM);
    refuses<mpi::alltoall, length_error>(text, ranks, mpi::block{MPI_BYTE, too_many});
    auto last = mpi::blocks::packed(MPI_BYTE, counts);
    last.displacements.back() = static_cast<MPI_Aint>(too_many);
    refuses<mpi::allgatherv, length_error>(text, ranks, last);
    auto mixed = mpi::mixed_type_blocks::packed({MPI_INT, 1}, n);
    mixed.displacements.back() = static_cast<MPI_Aint>(too_many);
    refuses<mpi::alltoallw, length_error>(text, ranks, mixed, mixed);
    counts.back() = too_many;
    refuses<mpi::reduce_scatter, length_error>(text, ranks, MPI_BYTE, counts, MPI_SUM);
}
#endif

TEST_CASE("more bytes than a region can have are refused") {
    mpi::group ranks{application::comm()};
    auto const most = static_cast<std::size_t>(PTRDIFF_MAX); // MPI before 4.0 refuses it for its count
    refuses<mpi::allreduce, length_error>(" elements", ranks, mpi::block{MPI_DOUBLE, most / 8 + 1}, MPI_SUM);
    if (ranks.size() > 1) refuses<mpi::alltoall, length_error>(" elements", ranks, mpi::block{MPI_BYTE, most});
    CHECK(mpi::mixed_type_blocks::packed({MPI_INT, INT_MAX / 2}, 3).displacements[1] == 4294967292);
    CHECK(mpi::blocks::packed(MPI_BYTE, {INT_MAX, 1}).displacements[1] == INT_MAX);
}

TEST_CASE("negative counts and displacements are refused, and the wrong number of them") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<std::size_t>(ranks.size());
    auto const good = operations::backwards(operations::unequal(ranks.size()));
    auto negative = good, before = good, longer = good;
    negative.counts.back() = -1;
    before.displacements.back() = -1;
    longer.counts.push_back(1);
    auto const needs = "needs " + std::to_string(n) + " counts and displacements";
    std::string const sign = "a count or a displacement is negative";
    refuses<mpi::allgatherv>(sign, ranks, negative);
    refuses<mpi::gatherv>(sign, ranks, before);
    refuses<mpi::scatterv>(sign, ranks, negative);
    refuses<mpi::alltoallv>(sign, ranks, good, before);
    refuses<mpi::alltoallv>(sign, ranks, negative, good);
    refuses<mpi::allgatherv>(needs, ranks, longer);
    refuses<mpi::alltoallv>(needs, ranks, mpi::blocks{}, good);
    refuses<mpi::reduce_scatter>(needs, ranks, MPI_INT, std::vector<std::size_t>{}, MPI_SUM);
}

TEST_CASE("negative counts and displacements of blocks with their own types are refused, and the wrong number") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<std::size_t>(ranks.size());
    auto const good = mpi::mixed_type_blocks::packed(operations::three(), n);
    auto untyped = good, negative = good, null = good;
    untyped.types.pop_back();
    negative.displacements.back() = -4;
    null.types.back() = MPI_DATATYPE_NULL;
    refuses<mpi::alltoallw>("needs " + std::to_string(n) + " types, counts and displacements", ranks, good, untyped);
    refuses<mpi::alltoallw>("negative", ranks, negative, good);
    refuses<mpi::alltoallw>("the datatype is null", ranks, good, null);
}

TEST_CASE("MPI_OP_NULL and MPI_DATATYPE_NULL are refused") {
    mpi::group ranks{application::comm()};
    std::string const op = "the operation is null", type = "the datatype is null";
    refuses<mpi::allreduce>(op, ranks, operations::three(), MPI_OP_NULL);
    refuses<mpi::reduce>(op, ranks, operations::three(), MPI_OP_NULL);
    refuses<mpi::scan>(op, ranks, operations::three(), MPI_OP_NULL);
    refuses<mpi::reduce_scatter_block>(op, ranks, operations::three(), MPI_OP_NULL);
    refuses<mpi::bcast>(type, ranks, mpi::block{MPI_DATATYPE_NULL, 1});
    auto blocks = operations::backwards(operations::unequal(ranks.size()));
    blocks.type = MPI_DATATYPE_NULL;
    refuses<mpi::allgatherv>(type, ranks, blocks);
}

TEST_CASE("a region that is too small is refused before anything is sent, in every call mode") {
    mpi::group ranks{application::comm()};
    std::vector<std::byte> twelve(12), eleven(11);
    mpi::allreduce const operation{ranks, operations::three(), MPI_SUM};
    slice const enough{twelve}, small{eleven};
    std::string const sends = "MPI_Allreduce sends from 12 bytes, the region has 11";
    std::string const receives = "MPI_Allreduce receives into 12 bytes, the region has 11";
    too_small<mpi::blocking>(sends, operation, small, enough);
    too_small<mpi::blocking>(receives, operation, enough, small);
    too_small<mpi::nonblocking>(sends, operation, small, enough);
    too_small<mpi::nonblocking>(receives, operation, enough, small);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    too_small<mpi::persistent>(sends, operation, small, enough);
    too_small<mpi::persistent>(receives, operation, enough, small);
#endif
    too_small<mpi::blocking>("sends from 12 bytes, the region has 0", operation, enough);
    too_small<mpi::blocking>("MPI_Bcast receives into 12 bytes, the region has 11",
                             mpi::bcast{ranks, operations::three()}, small);
}

TEST_CASE("neighborhood collectives need a topology, a grid must fit the group, a neighbor must be a rank") {
    mpi::group ranks{application::comm()};
    auto const n = ranks.size();
    refuses<mpi::neighbor_allgather>("has no topology", ranks, operations::three());
    auto const grid = [&](std::vector<int> extents, std::vector<bool> const& periodic) {
        return exception_text<invalid_argument>(
            [&] { static_cast<void>(mpi::topology::cartesian(ranks, std::move(extents), periodic)); });
    };
    auto const ranks_text = " does not fit " + std::to_string(n) + " ranks";
    has(grid({n + 1}, {false}), "a grid of " + std::to_string(n + 1) + ranks_text);
    has(grid({n, 2}, {false, true}), "a grid of " + std::to_string(n) + " x 2" + ranks_text);
    has(grid({-1, -n}, {false, true}), "a grid of -1 x -" + std::to_string(n) + ranks_text);
    has(grid({n, 0}, {false, true}), ranks_text);
    has(grid({INT_MAX, INT_MAX, INT_MAX}, {false, false, false}), ranks_text);
    has(grid({n}, {}), "1 extents, but periodic says 0");
    auto const text = " is none of the ranks 0 to " + std::to_string(n - 1);
    has(exception_text<invalid_argument>([&] { static_cast<void>(mpi::topology::dist_graph(ranks, {n}, {})); }),
        "neighbor " + std::to_string(n) + text);
    has(exception_text<invalid_argument>([&] {
            static_cast<void>(mpi::topology::dist_graph(ranks, {}, {0, -1}));
        }),
        "neighbor -1" + text);
    auto const ring = mpi::topology::cartesian(ranks, {n}, {true});
    mpi::group near{ring.comm()};
    auto const three = mpi::blocks::packed(MPI_INT, {1, 1, 1}), two = mpi::blocks::packed(MPI_INT, {1, 1});
    refuses<mpi::neighbor_alltoallv>("needs 2 counts", near, two, three);
    refuses<mpi::neighbor_allgatherv>("needs 2 counts", near, mpi::block{MPI_INT, 1}, three);
}

TEST_CASE("an operation that MPI refuses for a type throws with the routine's name") {
    mpi::group ranks{application::comm()};
    std::vector<std::byte> a(24), b(24);
    mpi::allreduce const operation{ranks, {MPI_DOUBLE, 3}, MPI_BAND};
    auto const routine = [](auto f) {
        try {
            f();
        } catch (mpi::error const& e) {
            return std::string{e.call()};
        }
        return std::string{"no error"};
    };
    CHECK(routine([&] { mpi::blocking{operation, slice{a}, slice{b}}(); }) == "MPI_Allreduce");
    CHECK(routine([&] { mpi::nonblocking{operation, slice{a}, slice{b}}(); }) == "MPI_Iallreduce");
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    CHECK(routine([&] { mpi::persistent{operation, slice{a}, slice{b}}(); }) == mpi::allreduce::functions.init_name);
#endif
}

TEST_CASE("a topology that one rank cannot have is refused on all ranks, with the reason of that rank") {
    mpi::group ranks{application::comm()};
    auto const n = ranks.size(), last = n - 1;
    auto const here = ranks.rank() == last;
    auto const by = here ? std::string{} : "rank " + std::to_string(last) + ": ";
    CHECK(exception_text<invalid_argument>([&] {
              static_cast<void>(mpi::topology::cartesian(ranks, {here ? n + 1 : n}, {true}));
          }) == by + "sonde::mpi::topology: a grid of " + std::to_string(n + 1) + " does not fit " + std::to_string(n) +
                    " ranks");
    CHECK(exception_text<invalid_argument>([&] {
              static_cast<void>(mpi::topology::dist_graph(ranks, {0}, {here ? n : 0}));
          }) == by + "sonde::mpi::topology: neighbor " + std::to_string(n) + " is none of the ranks 0 to " +
                    std::to_string(last));
}
