// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

using namespace sonde;

namespace {

// 15 elements of 4 bytes a rank, divisible by 1 to 5 ranks, so that sums are exact.
constexpr double mine = 60;
mpi::block each() { return {MPI_UINT32_T, 15}; }

struct expected {
    double bytes;
    double bus_factor;
};

/// Checks a record's traffic of an operation, and the metrics for a time of one second.
template <sonde::CollectiveOperation Op>
void check_record(mpi::group& ranks, Op const& operation, expected e) {
    std::string const name = Op::name;
    CAPTURE(name);
    sweep::memories m{operation};
    auto const r = run(ranks, plan<>{}.warmup(0).until(samples{1}),
                       mpi::blocking{operation, slice{m.out.all()}, slice{m.in.all()}});
    CHECK(static_cast<double>(r.total.bytes) == e.bytes);
    CHECK(r.total.messages == 1);
    CHECK(r.total.hops == 1);
    CHECK(r.total.bus_factor == e.bus_factor);
    CHECK(bandwidth(r, seconds{1}) == e.bytes);
    CHECK(bus_bandwidth(r, seconds{1}) == e.bus_factor * e.bytes);
}

mpi::blocks equal_blocks(std::size_t n) {
    return mpi::blocks::packed(MPI_UINT32_T, std::vector<std::size_t>(n, each().count));
}

} // namespace

TEST_CASE("a collective's traffic has its size in bytes, and the bus factor of its best algorithm") {
    mpi::group ranks{application::comm()};
    auto const p = static_cast<std::size_t>(ranks.size());
    auto const n = static_cast<double>(p), others = (n - 1) / n;
    expected const one{mine, 1}, all{n * mine, others};
    auto const blocks = equal_blocks(p);
    check_record(ranks, mpi::allreduce{ranks, each(), MPI_SUM}, {mine, 2 * (n - 1) / n});
    check_record(ranks, mpi::allgather{ranks, each()}, all);
    check_record(ranks, mpi::allgatherv{ranks, blocks}, all);
    check_record(ranks, mpi::alltoall{ranks, each()}, all);
    check_record(ranks, mpi::alltoallv{ranks, blocks, blocks}, all);
    auto const typed = mpi::mixed_type_blocks::packed(each(), p);
    check_record(ranks, mpi::alltoallw{ranks, typed, typed}, all);
    check_record(ranks, mpi::gather{ranks, each()}, all);
    check_record(ranks, mpi::gatherv{ranks, blocks}, all);
    check_record(ranks, mpi::scatter{ranks, each()}, all);
    check_record(ranks, mpi::scatterv{ranks, blocks}, all);
    check_record(ranks, mpi::reduce_scatter_block{ranks, each(), MPI_SUM}, all);
    check_record(ranks, mpi::reduce_scatter{ranks, MPI_UINT32_T, std::vector<std::size_t>(p, 15), MPI_SUM}, all);
    check_record(ranks, mpi::bcast{ranks, each()}, one);
    check_record(ranks, mpi::reduce{ranks, each(), MPI_SUM}, one);
    check_record(ranks, mpi::scan{ranks, each(), MPI_SUM}, one);
    check_record(ranks, mpi::exscan{ranks, each(), MPI_SUM}, one);
    check_record(ranks, mpi::barrier{ranks}, {0, 1});
}

TEST_CASE("in-place operations have the same traffic") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<double>(ranks.size());
    check_record(ranks, mpi::allgather{ranks, each(), sonde::in_place}, {n * mine, (n - 1) / n});
    check_record(ranks, mpi::allreduce{ranks, each(), MPI_SUM, sonde::in_place}, {mine, 2 * (n - 1) / n});
}

TEST_CASE("blocks of unequal size count by their sum, or by the mean over ranks if ranks differ") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<double>(ranks.size()), others = (n - 1) / n;
    std::vector<std::size_t> counts; // 0, 60, 120 ... elements
    double bytes = 0;
    for (std::size_t r = 0; r != static_cast<std::size_t>(ranks.size()); ++r) {
        counts.push_back(60 * r);
        bytes += 4 * 60 * static_cast<double>(r);
    }
    auto const blocks = mpi::blocks::packed(MPI_UINT32_T, counts);
    check_record(ranks, mpi::allgatherv{ranks, blocks}, {bytes, others});
    check_record(ranks, mpi::gatherv{ranks, blocks}, {bytes, others});
    check_record(ranks, mpi::scatterv{ranks, blocks}, {bytes, others});
    check_record(ranks, mpi::reduce_scatter{ranks, MPI_UINT32_T, counts, MPI_SUM}, {bytes, others});
    // Rank r receives 60 r elements from each of n ranks; the mean over ranks is n (n - 1) / 2 times 60.
    std::vector<std::size_t> const from_each(counts.size(), counts[static_cast<std::size_t>(ranks.rank())]);
    mpi::alltoallv const uneven{ranks, blocks, mpi::blocks::packed(MPI_UINT32_T, from_each)};
    check_record(ranks, uneven, {n * (n - 1) / 2 * 4 * 60, others});
}

TEST_CASE("neighborhood traffic is the mean received by a rank, and nothing comes from beyond the end of a line") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<double>(ranks.size());
    auto const two = mpi::mixed_type_blocks::packed(each(), 2);
    auto const check_grid = [&](bool ring, double bytes) {
        auto const grid = mpi::topology::cartesian(ranks, {ranks.size()}, {ring});
        mpi::group near{grid.comm()};
        check_record(near, mpi::neighbor_allgather{near, each()}, {bytes, 1});
        check_record(near, mpi::neighbor_allgatherv{near, each(), equal_blocks(2)}, {bytes, 1});
        check_record(near, mpi::neighbor_alltoall{near, each()}, {bytes, 1});
        check_record(near, mpi::neighbor_alltoallv{near, equal_blocks(2), equal_blocks(2)}, {bytes, 1});
        check_record(near, mpi::neighbor_alltoallw{near, two, two}, {bytes, 1});
    };
    check_grid(true, 2 * mine);
    check_grid(false, 2 * (n - 1) * mine / n);
}

TEST_CASE("traffic of a type larger than an int counts has all its bytes") {
    mpi::group ranks{application::comm()};
    auto const huge = mpi::detail::large_contiguous(MPI_BYTE, (std::size_t{1} << 31) + 13);
    mpi::bcast const operation{ranks, {huge.get(), 3}};
    CHECK(operation.traffic().bytes == 3 * ((std::size_t{1} << 31) + 13));
    CHECK(operation.recv_bytes() == 3 * ((std::size_t{1} << 31) + 13));
}

namespace {

/// The first and the third of every four numbers.
mpi::owned_datatype with_gap() {
    MPI_Datatype two = MPI_DATATYPE_NULL, made = MPI_DATATYPE_NULL;
    PMPI_Type_vector(2, 1, 2, MPI_UINT32_T, &two);
    PMPI_Type_create_resized(two, 0, 16, &made);
    PMPI_Type_free(&two);
    return mpi::owned_datatype{made};
}

} // namespace

TEST_CASE("send and receive blocks may have different datatypes") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<std::size_t>(ranks.size());
    auto const gap = with_gap();
    std::vector<MPI_Count> const twos(n, 2), ones(n, 1);
    std::vector<MPI_Aint> places;
    for (int r = 0; r != ranks.size(); ++r) places.push_back(16 * (ranks.size() - 1 - r));
    std::vector<sweep::number> out(4 * n), in(4 * n, 7), expected(4 * n, 7);
    for (std::size_t i = 0; i != n; ++i) {
        auto const to = 4 * (n - 1 - i);
        auto const from = static_cast<int>(i);
        for (std::size_t k = 0; k != 2; ++k) {
            out[to + k] = sweep::value(0, ranks.rank(), from, k);
            expected[to + 2 * k] = sweep::value(0, from, ranks.rank(), k); // with a gap behind each
        }
    }
    auto const bytes = [](auto& numbers) { return slice{std::as_writable_bytes(std::span{numbers})}; };
    mpi::mixed_type_blocks const sent{std::vector(n, MPI_UINT32_T), twos, places};
    mpi::mixed_type_blocks const received{std::vector(n, gap.get()), ones, places};
    mpi::blocking{mpi::alltoallw{ranks, sent, received}, bytes(out), bytes(in)}();
    CHECK(in == expected);
}

TEST_CASE("elements with gaps need memory up to the end of the last one, and include the gaps between them") {
    mpi::group ranks{application::comm()};
    auto const gap = with_gap(); // 12 bytes from its first to its end, an extent of 16; 8 bytes without the gap
    auto const n = static_cast<std::size_t>(ranks.size());
    mpi::allgather const all{ranks, {gap.get(), 2}};
    CHECK(all.send_bytes() == 16 + 12);
    CHECK(all.recv_bytes() == (2 * n - 1) * 16 + 12);
    CHECK(all.traffic().bytes == n * 16); // n blocks of 16, as each of n ranks reports
    CHECK(all.traffic().shared_by == n);
}

TEST_CASE("a block without elements needs no memory at any displacement") {
    mpi::group ranks{application::comm()};
    auto const n = static_cast<std::size_t>(ranks.size());
    std::vector<MPI_Count> counts(n);
    std::vector<MPI_Aint> places(n, 1000);
    counts[0] = 2;
    places[0] = 1;
    mpi::allgatherv const all{ranks, {MPI_UINT32_T, counts, places}};
    CHECK(all.recv_bytes() == 3 * 4);
}
