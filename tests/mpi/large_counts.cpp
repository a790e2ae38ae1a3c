// SPDX-License-Identifier: BSL-1.0

// Collectives and one-sided operations of more elements than an int counts, with MPI 4.0: the functions with large
// counts are called. Their elements have no data, so that the calls need no memory, or their calls are only seen.

#include <mpi.h>

#if MPI_VERSION >= 4
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "library_faults.hpp"

#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/rma.hpp>
#include <sonde/sonde.hpp>

#include <climits>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

constexpr std::size_t many = (std::size_t{1} << 31) + 5;
constexpr auto counted = static_cast<MPI_Count>(many);

/// The last call with large counts: its name and its numbers.
struct seen {
    std::string call;
    std::vector<MPI_Count> numbers;
};
seen last;

void see(char const* call, std::vector<MPI_Count> numbers) { last = {call, std::move(numbers)}; }
bool has_seen(std::string const& call, std::vector<MPI_Count> const& numbers) {
    CAPTURE(last.call);
    CHECK(last.call == call);
    return std::exchange(last, {}).numbers == numbers;
}

/// A type without data.
mpi::owned_datatype no_data() {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_contiguous(0, MPI_BYTE, &made), "MPI_Type_contiguous");
    return mpi::owned_datatype{made};
}

/// The ledger sees the waits for requests, but not the calls with large counts that make them: its number as before.
struct unrecorded_requests {
    std::size_t const before = ledger::current().active_requests;
    ~unrecorded_requests() { ledger::current().active_requests = before; }
};

/// The side of an epoch that makes the calls.
struct of_origin {
    static constexpr bool accesses = true; // and exposes nothing
};

} // namespace

// The calls of reductions end here, because the data of predefined types would need the memory.
extern "C" {
int MPI_Allreduce_c(void const*, void*, MPI_Count n, MPI_Datatype, MPI_Op, MPI_Comm) {
    see("MPI_Allreduce_c", {n});
    return MPI_SUCCESS;
}
int MPI_Reduce_scatter_c(void const*, void*, MPI_Count const n[], MPI_Datatype, MPI_Op, MPI_Comm) {
    see("MPI_Reduce_scatter_c", {n[0], n[application::size() - 1]});
    return MPI_SUCCESS;
}
int MPI_Iexscan_c(void const*, void*, MPI_Count n, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request* request) {
    see("MPI_Iexscan_c", {n});
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
int MPI_Bcast_c(void* data, MPI_Count n, MPI_Datatype type, int root, MPI_Comm comm) {
    see("MPI_Bcast_c", {n});
    return PMPI_Bcast_c(data, n, type, root, comm);
}
int MPI_Alltoallv_c(void const* out, MPI_Count const n[], MPI_Aint const at[], MPI_Datatype type, void* in,
                    MPI_Count const m[], MPI_Aint const from[], MPI_Datatype of, MPI_Comm comm) {
    see("MPI_Alltoallv_c", {n[0], at[application::size() - 1], m[0]});
    return PMPI_Alltoallv_c(out, n, at, type, in, m, from, of, comm);
}
int MPI_Put_c(void const* data, MPI_Count n, MPI_Datatype type, int rank, MPI_Aint at, MPI_Count m, MPI_Datatype of,
              MPI_Win win) {
    see("MPI_Put_c", {n, m});
    return PMPI_Put_c(data, n, type, rank, at, m, of, win);
}
int MPI_Raccumulate_c(void const* data, MPI_Count n, MPI_Datatype type, int rank, MPI_Aint at, MPI_Count m,
                      MPI_Datatype of, MPI_Op op, MPI_Win win, MPI_Request* request) {
    see("MPI_Raccumulate_c", {n, m});
    return PMPI_Raccumulate_c(data, n, type, rank, at, m, of, op, win, request);
}
}

TEST_CASE("collectives of more elements than an int counts call the functions with large counts") {
    mpi::group ranks{application::comm()};
    auto const type = no_data();
    mpi::block const all{type.get(), many};
    mpi::blocking{mpi::bcast{ranks, all}, slice{}}();
    CHECK(has_seen("MPI_Bcast_c", {counted}));
    auto const n = static_cast<std::size_t>(ranks.size());
    auto const blocks = mpi::blocks::packed(type.get(), std::vector(n, many));
    mpi::blocking{mpi::alltoallv{ranks, blocks, blocks}, slice{}, slice{}}();
    CHECK(has_seen("MPI_Alltoallv_c", {counted, counted * (ranks.size() - 1), counted}));
    mpi::blocking{mpi::bcast{ranks, {type.get(), INT_MAX}}, slice{}}();
    CHECK(has_seen("", {}));
}

TEST_CASE("a displacement alone that exceeds an int needs the function with large counts") {
    mpi::group ranks{application::comm()};
    auto const type = no_data();
    auto blocks = mpi::blocks::packed(type.get(), std::vector<std::size_t>(static_cast<std::size_t>(ranks.size()), 1));
    blocks.displacements.back() = static_cast<MPI_Aint>(many);
    mpi::blocking{mpi::alltoallv{ranks, blocks, blocks}, slice{}, slice{}}();
    CHECK(has_seen("MPI_Alltoallv_c", {1, counted, 1}));
}

TEST_CASE("every collective that moves data takes large counts in each call mode") {
    if (!library::works("nonblocking collectives with large counts")) return;
    mpi::group ranks{application::comm()};
    auto const type = no_data();
    mpi::block const all{type.get(), many};
    auto const n = static_cast<std::size_t>(ranks.size());
    auto const blocks = mpi::blocks::packed(type.get(), std::vector(n, many));
    auto const mixed = mpi::mixed_type_blocks::packed(all, n);
    unrecorded_requests const unrecorded;
    std::byte out{}, in{}; // MPICH refuses equal addresses, also of no data
    auto const call = [&](auto operation) {
        CHECK(operation.is_large());
        mpi::blocking{operation, slice{region{&out, 1}}, slice{region{&in, 1}}}();
        mpi::nonblocking{operation, slice{region{&out, 1}}, slice{region{&in, 1}}}();
        mpi::persistent{operation, slice{region{&out, 1}}, slice{region{&in, 1}}}();
    };
    call(mpi::bcast{ranks, all});
    call(mpi::gather{ranks, all});
    call(mpi::gatherv{ranks, blocks});
    call(mpi::scatter{ranks, all});
    call(mpi::scatterv{ranks, blocks});
    call(mpi::allgather{ranks, all});
    call(mpi::allgatherv{ranks, blocks});
    call(mpi::alltoall{ranks, all});
    call(mpi::alltoallv{ranks, blocks, blocks});
    call(mpi::alltoallw{ranks, mixed, mixed});
}

TEST_CASE("reductions of more elements than an int counts call the functions with large counts") {
    mpi::group ranks{application::comm()};
    static std::byte byte{}; // only its address is passed
    slice const enough{region{&byte, many * static_cast<std::size_t>(ranks.size())}};
    mpi::blocking{mpi::allreduce{ranks, {MPI_BYTE, many}, MPI_BOR}, enough, enough}();
    CHECK(has_seen("MPI_Allreduce_c", {counted}));
    mpi::nonblocking{mpi::exscan{ranks, {MPI_BYTE, many}, MPI_BOR}, enough, enough}();
    CHECK(has_seen("MPI_Iexscan_c", {counted}));
    std::vector<std::size_t> counts(static_cast<std::size_t>(ranks.size()), 3);
    counts.back() = many;
    mpi::blocking{mpi::reduce_scatter{ranks, MPI_BYTE, counts, MPI_BOR}, enough, enough}();
    CHECK(has_seen("MPI_Reduce_scatter_c", {ranks.size() == 1 ? counted : 3, counted}));
}

TEST_CASE("one-sided operations of more elements than an int counts call the functions with large counts") {
    mpi::group ranks{application::comm()};
    auto const type = no_data();
    mpi::block const all{type.get(), many};
    std::vector<std::byte> memory(8);
    mpi::allocated_window window{ranks, 8};
    mpi::peer const next{(ranks.rank() + 1) % ranks.size()};
    mpi::lock_all const epoch{window};
    constexpr of_origin origin;
    unrecorded_requests const unrecorded;
    mpi::request_based_transfer accumulates{mpi::accumulate{window, next, region{memory}, all, MPI_REPLACE}};
    accumulates.reserve(1);
    epoch.open(origin);
    mpi::put{window, next, region{memory}, all}(0);
    CHECK(has_seen("MPI_Put_c", {counted, counted}));
    accumulates(0);
    accumulates.wait_all();
    epoch.close(origin);
    CHECK(has_seen("MPI_Raccumulate_c", {counted, counted}));
}

TEST_CASE("a one-sided reduction takes a datatype that was made with large counts") {
    mpi::group ranks{application::comm()};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    mpi::check(PMPI_Type_vector_c(2, 1, 2, MPI_INT, &made), "MPI_Type_vector_c");
    mpi::owned_datatype const type{made};
    std::vector<int> sums(3, 5), ones(3, 1);
    auto const bytes_of = [](std::vector<int>& of) {
        return region{reinterpret_cast<std::byte*>(of.data()), of.size() * sizeof of[0]};
    };
    mpi::created_window window{ranks, bytes_of(sums)};
    mpi::peer const next{(ranks.rank() + 1) % ranks.size()};
    mpi::lock_all const epoch{window};
    constexpr of_origin origin;
    epoch.open(origin);
    mpi::accumulate{window, next, bytes_of(ones), {type.get(), 1}, MPI_SUM}(0);
    epoch.close(origin);
    mpi::blocking{mpi::barrier{ranks}}();
    CHECK(sums == std::vector{6, 5, 6});
}
#endif
