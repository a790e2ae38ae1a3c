// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_sweep.hpp"
#include "gapped.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Two memories with the same random bytes, one for Sonde's pattern and one for a hand-written MPI call, are equal
// afterwards to the last byte, including gaps and guard bytes.

using namespace sonde;

namespace {

void make_noise(sweep::memories& m, int rank, std::size_t round) {
    std::size_t i = 0;
    for (auto* const side : {&m.out, &m.in})
        for (auto& byte : side->all()) byte = static_cast<std::byte>(sweep::value(round, rank, 0, ++i));
}

/// Compares with `call(out, in, root)`, written by hand.
template <mpi::CollectiveOperation Op, class Call>
void check_like(Op const& operation, Call call) {
    std::string const name = Op::functions.blocking_name;
    sweep::memories mine{operation};
    mpi::blocking pattern{operation, slice{mine.out.all()}, slice{mine.in.all()}};
    bool equal = true;
    for (std::size_t round = 0; round != sweep::rounds(operation); ++round) {
        make_noise(mine, application::rank(), round);
        auto by_hand = mine;
        pattern();
        call(by_hand.out.all().data(), by_hand.in.all().data(), sweep::root_in(operation, round));
        equal = equal && mine.out == by_hand.out && mine.in == by_hand.in && mine.in.is_intact();
    }
    CAPTURE(name);
    CHECK(equal);
}

/// The common arguments of hand-written calls.
struct by_hand {
    mpi::group ranks;
    MPI_Comm comm = ranks.comm();
    int me = ranks.rank();
    int n = ranks.size();
    int counts[5] = {2, 0, 1, 3, 2};
    int places[5] = {7, 0, 6, 1, 10}; // elements, from the front
    int mine = counts[me];
    mpi::blocks varied{MPI_DATATYPE_NULL, {counts, counts + n}, {places, places + n}};

    explicit by_hand(MPI_Comm on = application::comm()) : ranks{on} {}
    mpi::blocks of(MPI_Datatype type) const { return {type, varied.counts, varied.displacements}; }
};

void check_rootless(MPI_Datatype t, MPI_Op op, mpi::buffers where) {
    by_hand h;
    auto const comm = h.comm;
    auto const from = [&](void* out) { return where == mpi::in_place ? MPI_IN_PLACE : out; };
    check_like(mpi::allgather{h.ranks, {t, 2}, where},
               [&](void* out, void* in, int) { PMPI_Allgather(from(out), 2, t, in, 2, t, comm); });
    check_like(mpi::allgatherv{h.ranks, h.of(t), where}, [&](void* out, void* in, int) {
        PMPI_Allgatherv(from(out), h.mine, t, in, h.counts, h.places, t, comm);
    });
    check_like(mpi::alltoall{h.ranks, {t, 2}, where},
               [&](void* out, void* in, int) { PMPI_Alltoall(from(out), 2, t, in, 2, t, comm); });
    check_like(mpi::allreduce{h.ranks, {t, 2}, op, where},
               [&](void* out, void* in, int) { PMPI_Allreduce(from(out), in, 2, t, op, comm); });
    check_like(mpi::exscan{h.ranks, {t, 2}, op, where},
               [&](void* out, void* in, int) { PMPI_Exscan(from(out), in, 2, t, op, comm); });
    check_like(mpi::scan{h.ranks, {t, 2}, op, where},
               [&](void* out, void* in, int) { PMPI_Scan(from(out), in, 2, t, op, comm); });
    check_like(mpi::reduce_scatter_block{h.ranks, {t, 2}, op, where},
               [&](void* out, void* in, int) { PMPI_Reduce_scatter_block(from(out), in, 2, t, op, comm); });
    std::vector<std::size_t> const counts(h.counts, h.counts + h.n);
    check_like(mpi::reduce_scatter{h.ranks, t, counts, op, where},
               [&](void* out, void* in, int) { PMPI_Reduce_scatter(from(out), in, h.counts, t, op, comm); });
}

/// Every rank sends (me + 1) % 2 elements to even ranks and 1 to odd ones, or 1 to all in place.
void check_exchange(MPI_Datatype t, mpi::buffers where) {
    by_hand h;
    auto const from = [&](void* out) { return where == mpi::in_place ? MPI_IN_PLACE : out; };
    std::vector<int> m, k, at, bytes;
    std::vector<MPI_Datatype> types(static_cast<std::size_t>(h.n), t);
    for (int r = 0; r != h.n; ++r) {
        m.push_back(where == mpi::in_place || r % 2 != 0 ? 1 : (h.me + 1) % 2);
        k.push_back(where == mpi::in_place || h.me % 2 != 0 ? 1 : (r + 1) % 2);
        at.push_back(2 * (h.n - 1 - r));
        bytes.push_back(16 * at.back());
    }
    check_like(mpi::alltoallv{h.ranks, {t, m, at}, {t, k, at}, where}, [&](void* out, void* in, int) {
        PMPI_Alltoallv(from(out), m.data(), at.data(), t, in, k.data(), at.data(), t, h.comm);
    });
    check_like(mpi::alltoallw{h.ranks, {types, m, bytes}, {types, k, bytes}, where}, [&](void* out, void* in, int) {
        PMPI_Alltoallw(from(out), m.data(), bytes.data(), types.data(), in, k.data(), bytes.data(), types.data(),
                       h.comm);
    });
}

/// Two numbers to every rank, which receives them with a gap between them.
void check_unlike_types(MPI_Datatype with_gap) {
    by_hand h;
    auto const n = static_cast<std::size_t>(h.n);
    std::vector<int> const twos(n, 2), ones(n, 1);
    std::vector<int> places;
    for (int r = 0; r != h.n; ++r) places.push_back(16 * (h.n - 1 - r));
    std::vector<MPI_Datatype> const numbers(n, MPI_UINT32_T), gaps(n, with_gap);
    check_like(mpi::alltoallw{h.ranks, {numbers, twos, places}, {gaps, ones, places}}, [&](void* out, void* in, int) {
        PMPI_Alltoallw(out, twos.data(), places.data(), numbers.data(), in, ones.data(), places.data(), gaps.data(),
                       h.comm);
    });
}

void check_rooted(MPI_Datatype t, MPI_Op op, mpi::root_rank at, mpi::buffers where) {
    by_hand h;
    auto const at_root = [&](void* there, int root) {
        return where == mpi::in_place && h.me == root ? MPI_IN_PLACE : there;
    };
    check_like(mpi::bcast{h.ranks, {t, 2}, at}, [&](void*, void* in, int r) { PMPI_Bcast(in, 2, t, r, h.comm); });
    check_like(mpi::gather{h.ranks, {t, 2}, at, where},
               [&](void* out, void* in, int r) { PMPI_Gather(at_root(out, r), 2, t, in, 2, t, r, h.comm); });
    check_like(mpi::gatherv{h.ranks, h.of(t), at, where}, [&](void* out, void* in, int r) {
        PMPI_Gatherv(at_root(out, r), h.mine, t, in, h.counts, h.places, t, r, h.comm);
    });
    check_like(mpi::reduce{h.ranks, {t, 2}, op, at, where},
               [&](void* out, void* in, int r) { PMPI_Reduce(at_root(out, r), in, 2, t, op, r, h.comm); });
    check_like(mpi::scatter{h.ranks, {t, 2}, at, where},
               [&](void* out, void* in, int r) { PMPI_Scatter(out, 2, t, at_root(in, r), 2, t, r, h.comm); });
    check_like(mpi::scatterv{h.ranks, h.of(t), at, where}, [&](void* out, void* in, int r) {
        PMPI_Scatterv(out, h.counts, h.places, t, at_root(in, r), h.mine, t, r, h.comm);
    });
}

/// On a ring: two neighbors, two blocks of equal length, since two ranks are each other's both neighbors.
void check_near(MPI_Datatype t) {
    mpi::group all{application::comm()};
    auto const ring = mpi::topology::cartesian(all, {all.size()}, {true});
    by_hand h{ring.comm()};
    int const counts[] = {2, 2}, places[] = {3, 0};
    MPI_Aint const bytes[] = {3 * 16, 0};
    MPI_Datatype const types[] = {t, t};
    mpi::blocks const both{t, {2, 2}, {3, 0}};
    mpi::mixed_type_blocks<MPI_Aint> const typed{{t, t}, {2, 2}, {3 * 16, 0}};
    check_like(mpi::neighbor_allgather{h.ranks, {t, 2}},
               [&](void* out, void* in, int) { PMPI_Neighbor_allgather(out, 2, t, in, 2, t, h.comm); });
    check_like(mpi::neighbor_allgatherv{h.ranks, {t, 2}, both},
               [&](void* out, void* in, int) { PMPI_Neighbor_allgatherv(out, 2, t, in, counts, places, t, h.comm); });
    check_like(mpi::neighbor_alltoall{h.ranks, {t, 2}},
               [&](void* out, void* in, int) { PMPI_Neighbor_alltoall(out, 2, t, in, 2, t, h.comm); });
    check_like(mpi::neighbor_alltoallv{h.ranks, both, both}, [&](void* out, void* in, int) {
        PMPI_Neighbor_alltoallv(out, counts, places, t, in, counts, places, t, h.comm);
    });
    check_like(mpi::neighbor_alltoallw{h.ranks, typed, typed}, [&](void* out, void* in, int) {
        PMPI_Neighbor_alltoallw(out, counts, bytes, types, in, counts, bytes, types, h.comm);
    });
}

} // namespace

TEST_CASE("a pattern makes the same MPI call as a caller would by hand, on numbers and on elements with gaps") {
    gapped const with_gaps;
    for (auto const where : {mpi::buffers::out_of_place, mpi::in_place}) {
        check_rootless(MPI_UINT32_T, MPI_SUM, where);
        check_rootless(with_gaps.type(), with_gaps.sum(), where);
        check_exchange(MPI_UINT32_T, where);
        check_exchange(with_gaps.type(), where);
        check_rooted(MPI_UINT32_T, MPI_SUM, mpi::root_rank::rotating(), where);
        check_rooted(with_gaps.type(), with_gaps.sum(), mpi::root_rank::rotating(), where);
    }
}

TEST_CASE("send and receive blocks may have different datatypes") { check_unlike_types(gapped{}.type()); }

TEST_CASE("neighborhood blocks may have different datatypes") {
    check_near(MPI_UINT32_T);
    check_near(gapped{}.type());
}

TEST_CASE("elements with gaps need memory up to the end of the last one, and include the gaps between them") {
    mpi::group ranks{application::comm()};
    gapped const with_gaps; // 12 bytes from its first to its end, an extent of 16; 8 bytes without the gap
    auto const n = static_cast<std::size_t>(ranks.size());
    mpi::allgather const all{ranks, {with_gaps.type(), 2}};
    CHECK(all.send_bytes() == 16 + 12);
    CHECK(all.recv_bytes() == (2 * n - 1) * 16 + 12);
    CHECK(all.traffic().bytes == n * 16); // n blocks of 16, as each of n ranks reports
    CHECK(all.traffic().shared_by == n);
}

TEST_CASE("a block without elements needs no memory at any displacement") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<std::size_t>(ranks.size());
    std::vector<int> counts(n), places(n, 1000);
    counts[0] = 2;
    places[0] = 1;
    mpi::allgatherv const all{ranks, {MPI_UINT32_T, counts, places}};
    CHECK(all.recv_bytes() == 3 * 4);
}
