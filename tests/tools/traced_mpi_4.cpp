// SPDX-License-Identifier: BSL-1.0

// An application to trace: traced_mpi_4 WHAT [STEPS]. Calls of MPI 4, which tracing_mpi_4.py knows: large counts,
// messages in both directions by one call, partitioned messages, persistent collectives, and MPI sessions without
// MPI_Init. Prints what it computes on rank 0.

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <vector>

namespace {

MPI_Comm world = MPI_COMM_NULL;
int rank = 0, size = 1;

int next() { return (rank + 1) % size; }
int last() { return (rank + size - 1) % size; }

/// A ring by MPI_Isendrecv, and around it in place.
int both_directions(int steps) {
    constexpr int count = 100;
    std::vector<int> out(count, rank), in(count);
    MPI_Request pending[2];
    int result = 0;
    for (int i = 0; i != steps; ++i) {
        MPI_Isendrecv(out.data(), count, MPI_INT, next(), 1, in.data(), count, MPI_INT, last(), 1, world, &pending[0]);
        MPI_Isendrecv_replace(out.data(), count / 2, MPI_INT, next(), 2, last(), 2, world, &pending[1]);
        MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
        result += in[count - 1];
    }
    return result;
}

/// The forms for large counts of a datatype, a message, of both directions, of a collective and of its v variant.
int large_counts(int steps) {
    std::vector<int> out(8, rank), in(8 * static_cast<std::size_t>(size));
    std::vector<MPI_Count> const counts(static_cast<std::size_t>(size), 1);
    std::vector<MPI_Aint> places(static_cast<std::size_t>(size));
    std::iota(places.begin(), places.end(), MPI_Aint{0});
    MPI_Request pending = MPI_REQUEST_NULL;
    MPI_Datatype pairs = MPI_DATATYPE_NULL;
    MPI_Type_vector_c(4, 2, 2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    for (int i = 0; i != steps; ++i) {
        MPI_Irecv_c(in.data(), 1, pairs, last(), 1, world, &pending);
        MPI_Send_c(out.data(), 8, MPI_INT, next(), 1, world);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
        MPI_Isendrecv_c(out.data(), 8, MPI_INT, next(), 2, in.data(), 8, MPI_INT, last(), 2, world, &pending);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
        MPI_Allgather_c(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT, world);
        MPI_Alltoallv_c(out.data(), counts.data(), places.data(), MPI_INT, in.data(), counts.data(), places.data(),
                        MPI_INT, world);
    }
    MPI_Type_free(&pairs);
    return in[static_cast<std::size_t>(size) - 1];
}

/// Messages in two parts, and a persistent collective.
int persistent(int steps) {
    std::vector<int> out(8, rank), in(8);
    MPI_Request pending[3];
    int sum = 0;
    MPI_Psend_init(out.data(), 2, 4, MPI_INT, next(), 3, world, MPI_INFO_NULL, &pending[0]);
    MPI_Precv_init(in.data(), 2, 4, MPI_INT, last(), 3, world, MPI_INFO_NULL, &pending[1]);
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &pending[2]);
    for (int i = 0; i != steps; ++i) {
        MPI_Startall(3, pending);
        MPI_Pready(0, pending[0]);
        MPI_Pready_range(1, 1, pending[0]);
        MPI_Waitall(3, pending, MPI_STATUSES_IGNORE);
    }
    for (auto& request : pending) MPI_Request_free(&request);
    return sum + in[7];
}

/// A communicator that is complete with a request, and one of the ranks with even numbers.
int communicators(int steps) {
    MPI_Comm same = MPI_COMM_NULL, half = MPI_COMM_NULL;
    MPI_Request pending = MPI_REQUEST_NULL;
    for (int i = 0; i != steps; ++i) {
        MPI_Comm_idup(world, &same, &pending);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
        MPI_Barrier(same);
        MPI_Comm_split(same, rank % 2, 0, &half);
        MPI_Barrier(half);
        MPI_Comm_free(&half);
        MPI_Comm_free(&same);
    }
    return size;
}

int result_of(std::string_view what, int steps) {
    if (what == "both_directions") return both_directions(steps);
    if (what == "large_counts") return large_counts(steps);
    if (what == "persistent") return persistent(steps);
    return communicators(steps);
}

/// The same without MPI_Init; `of`: the processes that get a communicator.
int with_session(std::string_view what, int steps, char const* of) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    int result = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, of, &group);
    MPI_Comm_create_from_group(group, "traced", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
    MPI_Group_free(&group);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    result = result_of(what, steps);
    MPI_Comm_free(&world);
    MPI_Session_finalize(&session);
    return result;
}

} // namespace

int main(int argc, char** argv) {
    std::string_view const what = argc > 1 ? argv[1] : "", how = argc > 3 ? argv[3] : "";
    auto const steps = argc > 2 ? std::atoi(argv[2]) : 1;
    if (!how.empty()) {
        auto const result = with_session(what, steps, argv[3]);
        if (rank == 0 && size > 1) std::printf("%s %d\n", argv[1], result);
        return 0;
    }
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    auto const result = result_of(what, steps);
    if (rank == 0) std::printf("%s %d\n", argv[1], result);
    MPI_Finalize();
    return 0;
}
