// SPDX-License-Identifier: BSL-1.0
// Collectives written over messages, or over other collectives.
#include "tools/replay/assess/collective_algorithms.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <cstring>

namespace tools::replay {

namespace {

using sonde::mpi::check;
using arguments = collective_arguments;

constexpr int collective_tag = 0;

void send(arguments& a, void const* data, int n, int to) {
    check(MPI_Send(data, n, a.type, to, collective_tag, a.comm), "MPI_Send");
}
void receive(arguments& a, void* data, int n, int from) {
    check(MPI_Recv(data, n, a.type, from, collective_tag, a.comm, MPI_STATUS_IGNORE), "MPI_Recv");
}
void exchange(arguments& a, void const* out, int n_out, int to, void* in, int n_in, int from) {
    check(MPI_Sendrecv(out, n_out, a.type, to, collective_tag, in, n_in, a.type, from, collective_tag, a.comm,
                       MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
}
std::size_t bytes_of(arguments const& a, int n) { return static_cast<std::size_t>(n) * a.extent; }
void copy_bytes(void* to, void const* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
}
/// Adds the scratch memory to what was received.
void reduce_scratch(arguments& a) {
    check(MPI_Reduce_local(a.scratch.data(), a.in.data(), a.count, a.type, a.op), "MPI_Reduce_local");
}

void dissemination_barrier(arguments& a) {
    for (int distance = 1; distance < a.ranks; distance *= 2)
        exchange(a, nullptr, 0, (a.rank + distance) % a.ranks, nullptr, 0, (a.rank + a.ranks - distance) % a.ranks);
}

/// The distance over which a rank of a binomial tree receives; at least the number of ranks for the root.
int parent_distance(int relative, int ranks) {
    int distance = 1;
    while (distance < ranks && (relative & distance) == 0) distance *= 2;
    return distance;
}

void binomial_bcast(arguments& a) {
    if (a.is_root()) copy_bytes(a.in.data(), a.out.data(), bytes_of(a, a.count));
    auto const relative = (a.rank - a.root + a.ranks) % a.ranks;
    auto const place = [&](int r) { return (r + a.root) % a.ranks; };
    auto distance = parent_distance(relative, a.ranks);
    if (relative != 0) receive(a, a.in.data(), a.count, place(relative - distance));
    for (distance /= 2; distance > 0; distance /= 2)
        if (relative + distance < a.ranks) send(a, a.in.data(), a.count, place(relative + distance));
}

void binomial_reduce(arguments& a) {
    copy_bytes(a.in.data(), a.out.data(), bytes_of(a, a.count));
    auto const relative = (a.rank - a.root + a.ranks) % a.ranks;
    auto const place = [&](int r) { return (r + a.root) % a.ranks; };
    auto const last = parent_distance(relative, a.ranks);
    for (int distance = 1; distance < last; distance *= 2) {
        if (relative + distance >= a.ranks) break;
        receive(a, a.scratch.data(), a.count, place(relative + distance));
        reduce_scratch(a);
    }
    if (relative != 0) send(a, a.in.data(), a.count, place(relative - last));
}

/// Ranks above the largest power of two give their vector to a partner below, and get the result from it.
void recursive_doubling_allreduce(arguments& a) {
    copy_bytes(a.in.data(), a.out.data(), bytes_of(a, a.count));
    int power = 1;
    while (2 * power <= a.ranks) power *= 2;
    auto const is_extra = a.rank >= power, has_extra = a.rank + power < a.ranks;
    if (is_extra) send(a, a.in.data(), a.count, a.rank - power);
    if (has_extra) {
        receive(a, a.scratch.data(), a.count, a.rank + power);
        reduce_scratch(a);
    }
    for (int distance = 1; !is_extra && distance < power; distance *= 2) {
        auto const partner = a.rank ^ distance;
        exchange(a, a.in.data(), a.count, partner, a.scratch.data(), a.count, partner);
        reduce_scratch(a);
    }
    if (has_extra) send(a, a.in.data(), a.count, a.rank + power);
    if (is_extra) receive(a, a.in.data(), a.count, a.rank - power);
}

void reduce_bcast(arguments& a) {
    check(MPI_Reduce(a.out.data(), a.in.data(), a.count, a.type, a.op, a.root, a.comm), "MPI_Reduce");
    check(MPI_Bcast(a.in.data(), a.count, a.type, a.root, a.comm), "MPI_Bcast");
}

/// Elements of equal blocks of the vector, the last ones padded.
int block_of(arguments const& a) { return (a.count + a.ranks - 1) / a.ranks; }

void reduce_scatter_allgather(arguments& a) {
    auto const n = block_of(a);
    check(MPI_Reduce_scatter_block(a.out.data(), a.scratch.data(), n, a.type, a.op, a.comm),
          "MPI_Reduce_scatter_block");
    check(MPI_Allgather(a.scratch.data(), n, a.type, a.in.data(), n, a.type, a.comm), "MPI_Allgather");
}

void reduce_scatter_gather(arguments& a) {
    auto const n = block_of(a);
    check(MPI_Reduce_scatter_block(a.out.data(), a.scratch.data(), n, a.type, a.op, a.comm),
          "MPI_Reduce_scatter_block");
    check(MPI_Gather(a.scratch.data(), n, a.type, a.in.data(), n, a.type, a.root, a.comm), "MPI_Gather");
}

void scatter_allgather(arguments& a) {
    auto const n = block_of(a);
    check(MPI_Scatter(a.out.data(), n, a.type, a.scratch.data(), n, a.type, a.root, a.comm), "MPI_Scatter");
    check(MPI_Allgather(a.scratch.data(), n, a.type, a.in.data(), n, a.type, a.comm), "MPI_Allgather");
}

/// Where the block of a rank begins, in bytes.
std::size_t place_of(arguments const& a, std::vector<int> const& blocks, int rank) {
    std::size_t place = 0;
    for (int i = 0; i != rank; ++i) place += bytes_of(a, blocks[static_cast<std::size_t>(i)]);
    return place;
}
int block(std::vector<int> const& blocks, int rank) { return blocks[static_cast<std::size_t>(rank)]; }
/// What this rank sends to a rank: a block, or to all the same.
std::byte const* sent_to(arguments const& a, int rank) {
    return a.out.data() + (a.collective == "Allgather" ? 0 : place_of(a, a.to, rank));
}
std::byte* received_from(arguments& a, int rank) { return a.in.data() + place_of(a, a.from, rank); }

void copy_own(arguments& a) {
    copy_bytes(received_from(a, a.rank), sent_to(a, a.rank), bytes_of(a, block(a.from, a.rank)));
}

void ring_allgather(arguments& a) {
    copy_own(a);
    for (int step = 1; step < a.ranks; ++step) {
        auto const sent = (a.rank + a.ranks - step + 1) % a.ranks, got = (a.rank + a.ranks - step) % a.ranks;
        exchange(a, received_from(a, sent), block(a.from, sent), (a.rank + 1) % a.ranks, received_from(a, got),
                 block(a.from, got), (a.rank + a.ranks - 1) % a.ranks);
    }
}

void pairwise_alltoall(arguments& a) {
    copy_own(a);
    for (int step = 1; step < a.ranks; ++step) {
        auto const to = (a.rank + step) % a.ranks, from = (a.rank + a.ranks - step) % a.ranks;
        exchange(a, sent_to(a, to), block(a.to, to), to, received_from(a, from), block(a.from, from), from);
    }
}

/// A message for each block that is not empty, all at the same time.
void messages_at_once(arguments& a) {
    a.requests.clear();
    copy_own(a);
    for (int i = 1; i < a.ranks; ++i) {
        auto const from = (a.rank + a.ranks - i) % a.ranks;
        if (block(a.from, from) == 0) continue;
        check(MPI_Irecv(received_from(a, from), block(a.from, from), a.type, from, collective_tag, a.comm,
                        &a.requests.emplace_back()),
              "MPI_Irecv");
    }
    for (int i = 1; i < a.ranks; ++i) {
        auto const to = (a.rank + i) % a.ranks;
        if (block(a.to, to) == 0) continue;
        check(
            MPI_Isend(sent_to(a, to), block(a.to, to), a.type, to, collective_tag, a.comm, &a.requests.emplace_back()),
            "MPI_Isend");
    }
    check(MPI_Waitall(static_cast<int>(a.requests.size()), a.requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

/// Displacements of blocks without gaps, in elements.
std::vector<int> places_of(std::vector<int> const& blocks) {
    std::vector<int> places;
    int next = 0;
    for (auto const n : blocks) {
        places.push_back(next);
        next += n;
    }
    return places;
}

void reduce_scatterv(arguments& a) {
    check(MPI_Reduce(a.out.data(), a.scratch.data(), a.count, a.type, a.op, 0, a.comm), "MPI_Reduce");
    auto const places = places_of(a.to);
    check(MPI_Scatterv(a.scratch.data(), a.to.data(), places.data(), a.type, a.in.data(), block(a.to, a.rank), a.type,
                       0, a.comm),
          "MPI_Scatterv");
}

void gather_bcast(arguments& a) {
    auto const places = places_of(a.from);
    auto const total = places.back() + a.from.back();
    check(MPI_Gatherv(a.out.data(), block(a.from, a.rank), a.type, a.in.data(), a.from.data(), places.data(), a.type, 0,
                      a.comm),
          "MPI_Gatherv");
    check(MPI_Bcast(a.in.data(), total, a.type, 0, a.comm), "MPI_Bcast");
}

collective_algorithm const all_algorithms[] = {
    {"Barrier", "dissemination over messages", dissemination_barrier},
    {"Bcast", "binomial tree over messages", binomial_bcast},
    {"Bcast", "MPI_Scatter + MPI_Allgather", scatter_allgather},
    {"Reduce", "binomial tree over messages", binomial_reduce},
    {"Reduce", "MPI_Reduce_scatter_block + MPI_Gather", reduce_scatter_gather},
    {"Allreduce", "recursive doubling over messages", recursive_doubling_allreduce},
    {"Allreduce", "MPI_Reduce + MPI_Bcast", reduce_bcast},
    {"Allreduce", "MPI_Reduce_scatter_block + MPI_Allgather", reduce_scatter_allgather},
    {"Reduce_scatter", "MPI_Reduce + MPI_Scatterv", reduce_scatterv},
    {"Gather", "messages at once", messages_at_once},
    {"Scatter", "messages at once", messages_at_once},
    {"Allgather", "ring over messages", ring_allgather},
    {"Allgather", "messages at once", messages_at_once},
    {"Allgather", "MPI_Gatherv + MPI_Bcast", gather_bcast},
    {"Alltoall", "pairwise exchange over messages", pairwise_alltoall},
    {"Alltoall", "messages at once", messages_at_once},
};

} // namespace

std::span<collective_algorithm const> collective_algorithms() { return all_algorithms; }

} // namespace tools::replay
