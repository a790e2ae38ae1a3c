// SPDX-License-Identifier: BSL-1.0

// An application to trace: traced_faults WHAT. Valid programs whose calls fail, hang, or are made in other ways than
// those of most programs; tracing_faults.py knows their calls. Prints what it computes on rank 0.

#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

int rank = 0, size = 1;

void sleep(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds{milliseconds}); }

/// Calls that fail under MPI_ERRORS_RETURN, whose results are not set. Returns their number.
int failing_calls() {
    MPI_Comm comm = MPI_COMM_NULL, made;
    MPI_Win window;
    MPI_Request request;
    std::memset(&made, 0x41, sizeof made);
    std::memset(&window, 0x41, sizeof window);
    std::memset(&request, 0x41, sizeof request);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int x = 0, flag = 0, index = 0, many_ranks = 9999;
    int const codes[] = {MPI_Send(&x, 1, MPI_INT, -5, 0, comm),
                         MPI_Send(&x, -1, MPI_INT, 0, 0, comm),
                         MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL),
                         MPI_Isend(&x, 1, MPI_INT, 99, 0, comm, &request),
                         MPI_Recv_init(&x, 1, MPI_INT, 99, 0, comm, &request),
                         MPI_Bcast(&x, 1, MPI_INT, 77, comm),
                         MPI_Alltoallv(&x, nullptr, &x, MPI_INT, &x, nullptr, &x, MPI_INT, MPI_COMM_NULL),
                         MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE),
                         MPI_Testany(-1, &request, &index, &flag, MPI_STATUS_IGNORE),
                         MPI_Comm_dup(MPI_COMM_NULL, &made),
                         MPI_Cart_create(comm, 1, &many_ranks, &x, 0, &made),
                         MPI_Win_create(&x, -5, 1, MPI_INFO_NULL, comm, &window)};
    int failed = 0;
    for (auto const code : codes) failed += code == MPI_SUCCESS ? 0 : 1;
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    return failed;
}

/// Rooted collectives on an intercommunicator: arguments that a rank does not use are not set.
int intercommunicator() {
    MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
    auto const is_low = rank < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_low ? 0 : 1, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? size / 2 : 0, 1, &both);
    auto const n = static_cast<std::size_t>(size);
    std::vector<int> all(n), counts(n, 1), places(n), own(n, rank);
    for (std::size_t i = 0; i != n; ++i) places[i] = static_cast<int>(i);
    auto* const none = reinterpret_cast<int*>(8); // as an argument that is not significant may be
    auto const root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    if (is_low) {
        MPI_Gatherv(nullptr, 0, MPI_DATATYPE_NULL, all.data(), counts.data(), places.data(), MPI_INT, root, both);
        MPI_Scatterv(own.data(), counts.data(), places.data(), MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, root, both);
        MPI_Bcast(own.data(), 1, MPI_INT, root, both);
        MPI_Reduce(own.data(), all.data(), 1, MPI_INT, MPI_SUM, root, both);
    } else {
        MPI_Gatherv(own.data(), 1, MPI_INT, nullptr, none, none, MPI_DATATYPE_NULL, 0, both);
        MPI_Scatterv(nullptr, none, none, MPI_DATATYPE_NULL, all.data(), 1, MPI_INT, 0, both);
        MPI_Bcast(all.data(), 1, MPI_INT, 0, both);
        MPI_Reduce(own.data(), nullptr, 1, MPI_INT, MPI_SUM, 0, both);
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    return all[0];
}

/// A periodic ring that is freed, then a line, whose inner ranks have the same neighbors; then two graphs of neighbors.
int topologies() {
    int sum = 0;
    for (int const is_periodic : {1, 1, 0}) {
        MPI_Comm ring = MPI_COMM_NULL;
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &ring);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, ring);
        MPI_Comm_free(&ring);
    }
    for (int const is_closed : {1, 0}) {
        MPI_Comm graph = MPI_COMM_NULL;
        int const next = (rank + 1) % size, before = (rank + size - 1) % size;
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, is_closed || rank != 0, &before, MPI_UNWEIGHTED,
                                       is_closed || rank != size - 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, graph);
        MPI_Comm_free(&graph);
    }
    return sum;
}

/// Messages that are completed outside of the marks.
int marks() {
    int in = 0;
    for (int i = 0; i != 50; ++i) {
        MPI_Request pending[2];
        for (int tag = 1; tag != 3; ++tag) {
            MPI_Pcontrol(1);
            MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, tag, MPI_COMM_WORLD, &pending[0]);
            MPI_Isend(&rank, 1, MPI_INT, (rank + size - 1) % size, tag, MPI_COMM_WORLD, &pending[1]);
            if (tag == 1) MPI_Pcontrol(0);
            MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
            MPI_Pcontrol(0);
        }
    }
    return in;
}

std::jmp_buf place;
void throws(MPI_Comm*, int*, ...) { throw std::runtime_error{"a call failed"}; }
void jumps(MPI_Comm*, int*, ...) { std::longjmp(place, 1); }

void send_to_nobody() { MPI_Send(&rank, 1, MPI_INT, 999, 0, MPI_COMM_WORLD); }

void send_and_jump_back() {
    if (setjmp(place) == 0) send_to_nobody();
}

int handlers() {
    MPI_Errhandler throwing = MPI_ERRHANDLER_NULL, jumping = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(throws, &throwing);
    MPI_Comm_create_errhandler(jumps, &jumping);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, throwing);
    int caught = 0;
    for (int i = 0; i != 3; ++i) {
        try {
            send_to_nobody();
        } catch (std::runtime_error const&) {
            ++caught;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, jumping);
    for (int i = 0; i != 3; ++i) {
        send_and_jump_back();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return caught;
}

/// Rank 0 waits for a message that does not come, rank 1 looks for one, and the others make no call.
void hang() {
    for (int i = 0; i != 5; ++i) MPI_Barrier(MPI_COMM_WORLD);
    int x = 0, found = 0;
    if (rank == 0) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (found == 0) {
        if (rank == 1) MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        sleep(1);
    }
}

/// exit() while other threads call MPI, with another tag in each call, so that their traces grow.
[[noreturn]] void leave_threads() {
    for (int i = 0; i != 3; ++i)
        std::thread{[] {
            for (int tag = 0;; tag = (tag + tag / 7 + 1) % 30000) {
                MPI_Comm own = MPI_COMM_NULL;
                MPI_Comm_dup(MPI_COMM_SELF, &own);
                for (int n = 0; n != 50; ++n) MPI_Send(nullptr, 0, MPI_INT, MPI_PROC_NULL, tag + n * n, own);
                MPI_Comm_free(&own);
            }
        }}.detach();
    sleep(200);
    std::exit(0);
}

/// More communicators and datatypes than the tables have memory for.
int many() {
    std::vector<MPI_Comm> comms(200);
    for (std::size_t i = 0; i != comms.size(); ++i) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
        MPI_Barrier(comms[i]);
        MPI_Type_vector(2, 1, 2 + static_cast<int>(i), MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Send(nullptr, 0, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        MPI_Type_free(&type);
    }
    for (auto& comm : comms) MPI_Comm_free(&comm);
    return 0;
}

/// How many blocks of memory do not follow the block before, if calls for which the recorder needs memory are between.
int heap() {
    constexpr int size_of_block = 5000;
    int gaps = 0;
    std::vector<char*> blocks(300);
    for (std::size_t i = 0; i != blocks.size(); ++i) {
        blocks[i] = static_cast<char*>(std::malloc(size_of_block));
        if (i >= 100 && blocks[i] - blocks[i - 1] != blocks[i - 1] - blocks[i - 2]) ++gaps;
        for (int tag = 0; tag != 20; ++tag)
            MPI_Send(nullptr, 0, MPI_INT, MPI_PROC_NULL, 1000 * tag + static_cast<int>(i), MPI_COMM_WORLD);
    }
    for (auto* const block : blocks) std::free(block);
    return gaps;
}

/// Work before MPI_Finalize on the last rank, for which the others wait; and messages that are looked for in vain.
int late() {
    int found = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i != 7; ++i) MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (rank == size - 1) sleep(200);
    return found;
}

/// The functions of the library itself, as a language with a binding of its own finds them.
int looked_up() {
    Dl_info found{};
    dladdr(reinterpret_cast<void const*>(&PMPI_Wtime), &found);
    auto* const library = dlopen(found.dli_fname, RTLD_LAZY);
    reinterpret_cast<decltype(&MPI_Init)>(dlsym(library, "MPI_Init"))(nullptr, nullptr);
    return reinterpret_cast<decltype(&MPI_Finalize)>(dlsym(library, "MPI_Finalize"))();
}

/// A spawned child makes barriers in a world of its own.
int spawn(char const* program) {
    MPI_Comm parent = MPI_COMM_NULL, child = MPI_COMM_NULL;
    MPI_Comm_get_parent(&parent);
    char what[] = "spawn";
    char* words[] = {what, nullptr};
    std::string name{program};
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(name.data(), words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
    else
        for (int i = 0; i != 9; ++i) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_disconnect(parent == MPI_COMM_NULL ? &child : &parent);
    return 0;
}

} // namespace

// The application's own function, as a library that takes times has it.
extern "C" int MPI_Exscan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return PMPI_Exscan(in, out, count, type, op, comm);
}

int main(int argc, char** argv) {
    std::string_view const what = argc > 1 ? argv[1] : "";
    if (what == "looked_up") return looked_up();
    int level = 0, result = 0;
    MPI_Init_thread(&argc, &argv, what == "leave_threads" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (what == "failing_calls") result = failing_calls();
    if (what == "intercommunicator") result = intercommunicator();
    if (what == "topologies") result = topologies();
    if (what == "marks") result = marks();
    if (what == "handlers") result = handlers();
    if (what == "hang") hang();
    if (what == "leave_threads") leave_threads();
    if (what == "many") result = many();
    if (what == "heap") result = heap();
    if (what == "late") result = late();
    if (what == "spawn") result = spawn(argv[0]);
    if (what == "folder") result = chdir("/");
    if (what == "own_function") MPI_Exscan(&rank, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%s %d\n", argv[1], result);
    MPI_Finalize();
    return 0;
}
