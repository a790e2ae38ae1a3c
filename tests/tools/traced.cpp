// SPDX-License-Identifier: BSL-1.0

// An application to trace: traced WHAT [N]. Its calls are known to tracing.py. Prints what it computes on rank 0.

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

namespace {

int rank = 0, size = 1;

void check(bool holds, char const* what) {
    if (holds) return;
    std::fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 9);
}

int after() { return (rank + 1) % size; }
int before() { return (rank + size - 1) % size; }

/// A step of a ring: 1000 doubles to the next rank, and a maximum.
void step(std::vector<double>& mine, std::vector<double>& theirs) {
    MPI_Request pending[2];
    MPI_Irecv(theirs.data(), 1000, MPI_DOUBLE, before(), 3, MPI_COMM_WORLD, &pending[0]);
    MPI_Isend(mine.data(), 1000, MPI_DOUBLE, after(), 3, MPI_COMM_WORLD, &pending[1]);
    MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, theirs.data(), 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

double ring(int steps) {
    std::vector<double> mine(1000, rank), theirs(1000);
    for (int i = 0; i != steps; ++i) step(mine, theirs);
    check(steps == 0 || theirs[1] == before(), "the ring");
    return theirs[0];
}

/// A ring whose rank 1 works six times as long as the others.
double late_ring(int steps) {
    std::vector<double> mine(1000, rank), theirs(1000);
    for (int i = 0; i != steps; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{rank == 1 ? 12 : 2});
        step(mine, theirs);
    }
    return theirs[0];
}

/// Barriers with 5 ms between them.
double slow_barriers(int steps) {
    for (int i = 0; i != steps; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return 0;
}

/// Each rank sends three messages to rank 0, which takes them as they come.
void collect() {
    int sum = 0;
    for (int i = 0; i != 3; ++i) {
        int n = rank;
        if (rank != 0) MPI_Send(&n, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        for (int from = 1; rank == 0 && from != size; ++from) {
            MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += n;
        }
    }
    check(rank != 0 || sum == 3 * size * (size - 1) / 2, "the sum of what was collected");
}

/// A sum over all ranks that rank 0 makes and sends to each: what MPI_Allreduce does better.
void sum_by_root(std::vector<double>& values) {
    auto const n = static_cast<int>(values.size());
    std::vector<double> theirs(values.size());
    if (rank != 0) {
        MPI_Send(values.data(), n, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
        MPI_Recv(values.data(), n, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    for (int from = 1; from != size; ++from) {
        MPI_Recv(theirs.data(), n, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (std::size_t i = 0; i != values.size(); ++i) values[i] += theirs[i];
    }
    for (int to = 1; to != size; ++to) MPI_Ssend(values.data(), n, MPI_DOUBLE, to, 6, MPI_COMM_WORLD);
}

/// A sum that is made poorly in each step, and an exchange that is not.
double poor_sums(int steps) {
    std::vector<double> values(8, 1), mine(1000, rank), theirs(1000);
    for (int i = 0; i != steps; ++i) {
        std::fill(values.begin(), values.end(), 1.0);
        sum_by_root(values);
        step(mine, theirs);
    }
    check(steps == 0 || values.back() == size, "the sum of rank 0");
    return theirs[0];
}

/// Communicators that are made and freed in each pass.
void communicators() {
    for (int i = 0; i != 4; ++i) {
        MPI_Comm half = MPI_COMM_NULL, copy = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Comm_dup(half, &copy);
        int n = 1;
        MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, copy);
        check(n == (size + 1 - rank % 2) / 2, "the size of a half");
        MPI_Comm_free(&copy);
        MPI_Comm_free(&half);
    }
}

/// Tests that find nothing, a message of a derived datatype, and completions in any order.
void completions() {
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 5, MPI_INT, &column);
    MPI_Type_commit(&column);
    std::vector<int> cells(15, rank), ghost(3);
    MPI_Request pending = MPI_REQUEST_NULL;
    MPI_Irecv(ghost.data(), 3, MPI_INT, before(), 1, MPI_COMM_WORLD, &pending);
    int flag = 0;
    for (int i = 0; i != 2; ++i) MPI_Iprobe(before(), 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Send(cells.data(), 1, column, after(), 1, MPI_COMM_WORLD);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    check(ghost[2] == before(), "the column");
    MPI_Type_free(&column);
    MPI_Irecv(ghost.data(), 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &pending);
    MPI_Request_get_status(pending, &flag, MPI_STATUS_IGNORE);
    check(flag != 0, "the status of a message from no rank");
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Request two[2];
    for (int i = 0; i != 2; ++i)
        MPI_Irecv(&ghost[static_cast<std::size_t>(i)], 1, MPI_INT, before(), i, MPI_COMM_WORLD, &two[i]);
    for (int i = 2; i-- != 0;) MPI_Send(&i, 1, MPI_INT, after(), i, MPI_COMM_WORLD);
    for (int i = 0, index = 0; i != 2; ++i) MPI_Waitany(2, two, &index, MPI_STATUS_IGNORE);
    check(ghost[0] == 0 && ghost[1] == 1, "what came in any order");
}

/// Waits for any of four messages, beside other requests. Another one comes first in each step, because the requests
/// are in another order. Then waits for messages of which each is followed by the next receive.
double any_order(int steps) {
    int in[8] = {}, out = rank, index = 0;
    MPI_Request received[4], turned[4], sent[4];
    for (int i = 0; i != steps; ++i) {
        for (int n = 0; n != 4; ++n) MPI_Irecv(&in[n], 1, MPI_INT, before(), n, MPI_COMM_WORLD, &received[n]);
        for (int n = 0; n != 4; ++n) MPI_Isend(&out, 1, MPI_INT, after(), n, MPI_COMM_WORLD, &sent[n]);
        for (int n = 0; n != 4; ++n) turned[n] = received[(n + i) % 4];
        for (int n = 0; n != 4; ++n) MPI_Waitany(4, turned, &index, MPI_STATUS_IGNORE);
        MPI_Waitall(4, sent, MPI_STATUSES_IGNORE);
        check(in[i % 4] == before(), "what came in any order");
    }
    MPI_Irecv(&in[4], 1, MPI_INT, before(), 5, MPI_COMM_WORLD, &sent[0]);
    for (int n = 0; n != 4; ++n) MPI_Irecv(&in[n], 1, MPI_INT, before(), 4, MPI_COMM_WORLD, &received[n]);
    for (int i = 0; i != steps; ++i) {
        MPI_Send(&out, 1, MPI_INT, after(), 4, MPI_COMM_WORLD);
        MPI_Waitany(4, received, &index, MPI_STATUS_IGNORE);
        MPI_Irecv(&in[index], 1, MPI_INT, before(), 4, MPI_COMM_WORLD, &received[index]);
    }
    for (int n = 0; n != 4; ++n) MPI_Send(&out, 1, MPI_INT, after(), 4, MPI_COMM_WORLD);
    MPI_Waitall(4, received, MPI_STATUSES_IGNORE);
    MPI_Send(&out, 1, MPI_INT, after(), 5, MPI_COMM_WORLD);
    MPI_Wait(&sent[0], MPI_STATUS_IGNORE);
    return in[4];
}

/// Messages that are looked for from any rank and with any tag, in four ways, before they are received.
double probes(int steps) {
    int in = -1;
    MPI_Status status{};
    for (int i = 0; i != steps; ++i) {
        for (int tag = 10; tag != 14; ++tag) MPI_Send(&rank, 1, MPI_INT, after(), tag, MPI_COMM_WORLD);
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int found = 0; found == 0;) MPI_Iprobe(MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &found, &status);
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        for (int found = 0; found == 0;) MPI_Improbe(before(), MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
        MPI_Request pending = MPI_REQUEST_NULL;
        MPI_Imrecv(&in, 1, MPI_INT, &message, &pending);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
        check(in == before() && status.MPI_TAG == 13, "what was looked for");
    }
    return in;
}

/// Each collective once, most with one block of two integers for each rank.
void collectives() {
    auto const n = static_cast<std::size_t>(size);
    std::vector<int> out(2 * n, 1), in(2 * n), two(n, 2), places(n);
    for (std::size_t i = 0; i != n; ++i) places[i] = static_cast<int>(2 * i);
    std::vector<MPI_Datatype> integers(n, MPI_INT);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(in.data(), 2, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gatherv(out.data(), 2, MPI_INT, in.data(), two.data(), places.data(), MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatter(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatterv(out.data(), two.data(), places.data(), MPI_INT, in.data(), 2, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data(), 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(out.data(), 2, MPI_INT, in.data(), two.data(), places.data(), MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(out.data(), two.data(), places.data(), MPI_INT, in.data(), two.data(), places.data(), MPI_INT,
                  MPI_COMM_WORLD);
    std::vector<int> const in_bytes(n);
    MPI_Alltoallw(out.data(), two.data(), in_bytes.data(), integers.data(), in.data(), two.data(), in_bytes.data(),
                  integers.data(), MPI_COMM_WORLD);
    MPI_Reduce(out.data(), in.data(), 2, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    MPI_Reduce_scatter(out.data(), in.data(), two.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(out.data(), in.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(out.data(), in.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(in[1] == rank + 1, "the scan");
    MPI_Exscan(out.data(), in.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Request pending = MPI_REQUEST_NULL;
    MPI_Iallreduce(out.data(), in.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &pending);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    check(in[0] == size, "the sum");
}

/// A loop of persistent messages, and a halo on a ring that is a topology.
void persistent() {
    std::vector<double> out(4, rank), in(4);
    MPI_Request two[2];
    MPI_Send_init(out.data(), 4, MPI_DOUBLE, after(), 5, MPI_COMM_WORLD, &two[0]);
    MPI_Recv_init(in.data(), 4, MPI_DOUBLE, before(), 5, MPI_COMM_WORLD, &two[1]);
    for (int i = 0; i != 6; ++i) {
        MPI_Startall(2, two);
        MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    }
    check(in[3] == before(), "what was sent again and again");
    for (auto& request : two) MPI_Request_free(&request);
    int const periodic = 1;
    MPI_Comm circle = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &circle);
    double halo[2];
    for (int i = 0; i != 5; ++i) MPI_Neighbor_allgather(out.data(), 1, MPI_DOUBLE, halo, 1, MPI_DOUBLE, circle);
    check(halo[0] == before() && halo[1] == after(), "the halo");
    MPI_Comm_free(&circle);
}

/// Three puts and a get in fences, and a lock.
void one_sided() {
    double mine[4] = {}, value = rank;
    MPI_Win win = MPI_WIN_NULL;
    MPI_Win_create(mine, sizeof mine, sizeof mine[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i != 3; ++i) MPI_Put(&value, 1, MPI_DOUBLE, after(), i, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    check(mine[2] == before(), "what was put");
    MPI_Get(&value, 1, MPI_DOUBLE, after(), 0, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    check(value == rank, "what was got");
    MPI_Win_lock(MPI_LOCK_SHARED, after(), 0, win);
    MPI_Win_unlock(after(), win);
    MPI_Win_free(&win);
}

/// Time between the messages of a pass, so that a loop is a phase: a hundredth of the time of a preempted program, too.
void work() { std::this_thread::sleep_for(std::chrono::milliseconds{2}); }

/// A loop of buffered and of persistent messages.
void buffered_and_persistent(int steps) {
    std::vector<char> attached(static_cast<std::size_t>(steps) * (MPI_BSEND_OVERHEAD + 64));
    MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
    double value = rank, got = 0;
    MPI_Request two[2];
    MPI_Send_init(&value, 1, MPI_DOUBLE, after(), 5, MPI_COMM_WORLD, &two[0]);
    MPI_Recv_init(&got, 1, MPI_DOUBLE, before(), 5, MPI_COMM_WORLD, &two[1]);
    for (int i = 0; i != steps; ++i) {
        work();
        MPI_Bsend(&value, 1, MPI_DOUBLE, after(), 6, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_DOUBLE, before(), 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Startall(2, two);
        MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    }
    check(steps == 0 || got == before(), "the persistent message");
    for (auto& request : two) MPI_Request_free(&request);
    void* buffer = nullptr;
    int size_of_buffer = 0;
    MPI_Buffer_detach(static_cast<void*>(&buffer), &size_of_buffer);
}

/// A loop of operations under a lock of all ranks, which is there before it.
void under_one_lock(int steps, MPI_Win allocated) {
    int one = 1, before_it = 0;
    MPI_Win_lock_all(0, allocated);
    for (int i = 0; i != steps; ++i) {
        work();
        MPI_Accumulate(&one, 1, MPI_INT, after(), 1 + i % 2, 1, MPI_INT, MPI_SUM, allocated);
        MPI_Fetch_and_op(&one, &before_it, MPI_INT, after(), 3, MPI_SUM, allocated);
        MPI_Win_flush(after(), allocated);
    }
    MPI_Win_unlock_all(allocated);
}

/// A loop with a lock in each pass, and one with fences.
void locked_and_fenced(int steps, MPI_Win created) {
    double value = rank, got = 0;
    for (int i = 0; i != steps; ++i) {
        work();
        MPI_Request pending = MPI_REQUEST_NULL;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, after(), 0, created);
        MPI_Rget(&got, 1, MPI_DOUBLE, after(), 7, 1, MPI_DOUBLE, created, &pending);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
        MPI_Win_unlock(after(), created);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, created);
    for (int i = 0; i != steps; ++i) {
        work();
        MPI_Put(&value, 1, MPI_DOUBLE, after(), 2, 1, MPI_DOUBLE, created);
        MPI_Win_fence(0, created);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, created);
}

/// A loop with the general active target.
void posted(int steps, MPI_Win created) {
    double const value = rank;
    int const to = after(), from = before();
    MPI_Group all = MPI_GROUP_NULL, target = MPI_GROUP_NULL, origin = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &to, &target);
    MPI_Group_incl(all, 1, &from, &origin);
    for (int i = 0; i != steps; ++i) {
        work();
        MPI_Win_post(origin, 0, created);
        MPI_Win_start(target, 0, created);
        MPI_Put(&value, 1, MPI_DOUBLE, to, 4, 1, MPI_DOUBLE, created);
        MPI_Win_complete(created);
        MPI_Win_wait(created);
    }
    for (auto* group : {&all, &target, &origin}) MPI_Group_free(group);
}

void windows(int steps) {
    buffered_and_persistent(steps);
    double mine[8] = {};
    MPI_Win created = MPI_WIN_NULL, allocated = MPI_WIN_NULL;
    MPI_Win_create(mine, sizeof mine, sizeof mine[0], MPI_INFO_NULL, MPI_COMM_WORLD, &created);
    void* memory = nullptr;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory),
                     &allocated);
    MPI_Barrier(MPI_COMM_WORLD);
    under_one_lock(steps, allocated);
    MPI_Barrier(MPI_COMM_WORLD);
    locked_and_fenced(steps, created);
    posted(steps, created);
    check(steps == 0 || (mine[2] == before() && mine[4] == before()), "what was put");
    MPI_Win_free(&created);
    MPI_Win_free(&allocated);
}

/// A receive that another thread completes.
void complete_elsewhere(MPI_Comm comm) {
    int in = -1;
    MPI_Request pending = MPI_REQUEST_NULL;
    MPI_Irecv(&in, 1, MPI_INT, before(), 5, comm, &pending);
    MPI_Send(&rank, 1, MPI_INT, after(), 5, comm);
    std::thread{[&] { MPI_Wait(&pending, MPI_STATUS_IGNORE); }}.join();
    check(in == before(), "a message that another thread completed");
}

/// Each thread sends to the next rank on a communicator of its own.
void threads() {
    constexpr int count = 2;
    MPI_Comm comms[count];
    for (auto& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    std::vector<std::thread> all;
    for (auto& comm : comms)
        all.emplace_back([comm] {
            for (int i = 0; i != 50; ++i) {
                int out = i, in = -1;
                MPI_Sendrecv(&out, 1, MPI_INT, after(), 0, &in, 1, MPI_INT, before(), 0, comm, MPI_STATUS_IGNORE);
                check(in == i, "a thread's message");
            }
        });
    for (auto& thread : all) thread.join();
    complete_elsewhere(comms[0]);
    for (auto& comm : comms) MPI_Comm_free(&comm);
}

} // namespace

int main(int argc, char** argv) {
    std::string_view const what = argc > 1 ? argv[1] : "";
    int const n = argc > 2 ? std::atoi(argv[2]) : 10;
    int level = 0;
    MPI_Init_thread(&argc, &argv, what == "threads" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double result = what == "late" || what == "sleep" || what == "poor" || what == "probes" || what == "windows" ||
                            what == "file" || what == "any"
                        ? 0
                        : ring(n);
    if (what == "calls") {
        collect();
        communicators();
        completions();
        collectives();
        persistent();
        one_sided();
    } else if (what == "windows") {
        windows(n);
    } else if (what == "threads") {
        threads();
    } else if (what == "late") {
        result = late_ring(n);
    } else if (what == "sleep") {
        result = slow_barriers(n);
    } else if (what == "poor") {
        result = poor_sums(n);
    } else if (what == "probes") {
        result = probes(n);
    } else if (what == "any") {
        result = any_order(n);
    } else if (what == "marks") {
        MPI_Pcontrol(1);
        result += ring(4);
        MPI_Pcontrol(0);
        result += ring(5);
    } else if (what == "file") {
        MPI_File file = MPI_FILE_NULL;
        MPI_Request pending = MPI_REQUEST_NULL;
        MPI_File_open(MPI_COMM_WORLD, "file", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file);
        for (int i = 0; i != n; ++i) {
            MPI_File_write_at_all(file, rank * 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
            MPI_File_iread_at(file, rank * 4, &size, 0, MPI_INT, &pending);
            MPI_Wait(&pending, MPI_STATUS_IGNORE);
        }
        MPI_File_close(&file);
    } else if (what == "abort") {
        if (rank == size - 1) MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (what == "leave") {
        std::exit(3);
    } else if (what == "survive") { // the death of the last rank
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        if (rank == size - 1) std::raise(SIGKILL);
        while (MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS) {
        }
        std::signal(SIGALRM, [](int) { std::_Exit(0); }); // MPI_Finalize of Open MPI 5.0 at times waits for that rank
        alarm(5);
    }
    if (rank == 0) std::printf("%s %g\n", argv[1], result);
    MPI_Finalize();
    return what == "fails" ? 4 : 0;
}
