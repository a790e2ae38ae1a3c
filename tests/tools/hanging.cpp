// SPDX-License-Identifier: BSL-1.0

// An application that hangs: hanging WHAT [RANK], on 8 ranks. Each fault comes after healthy steps. hanging.py knows
// what has to be said of it, and ends it.

#include <sonde/probe.hpp>

#include <mpi.h>

#include <chrono>
#include <csignal>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

int rank = 0, size = 1;
int looping = 6;    // the rank of an endless loop
sonde::probe probe; // made before MPI_Init, and used after MPI_Finalize

void add() {
    int const one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

void healthy_steps(int steps) {
    for (int step = 0; step != steps; ++step) {
        int in = 0;
        MPI_Request requests[2];
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        add();
    }
}

/// Rank 5 goes on to the barrier.
void skipped_collective() {
    if (rank != 5) add();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Rank 5 skips one of many equal collectives: the others wait in the last one while it finalizes.
void skipped_in_a_loop() {
    for (int step = 0; step != 5; ++step)
        if (rank != 5 || step != 2) add();
}

/// Rank 5 waits for a message, and rank 2 is in the collective.
void skipped_for_a_message() {
    int in = 0;
    if (rank == 5) MPI_Recv(&in, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add();
}

void wrong_root() {
    std::vector<int> values(100000);
    MPI_Bcast(values.data(), 100000, MPI_INT, rank == 3 ? 3 : 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

void wrong_tag() {
    int in = 0;
    if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 5, 7, MPI_COMM_WORLD);
    if (rank == 5) MPI_Recv(&in, 1, MPI_INT, 2, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/// The root sends less than the others wait for.
void unequal_counts() {
    constexpr int many = 4000000;
    std::vector<int> values(many);
    MPI_Bcast(values.data(), rank == 0 ? 1 : many, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

void stopped() {
    if (rank == 4) std::raise(SIGSTOP);
    add();
}

void endless_loop() {
    if (rank == looping)
        for (int volatile i = 0;;) i = i + 1;
    add();
}

/// The same in the third pass of a scope of the application's probe.
void endless_work() {
    auto& step = probe.scope("step");
    auto &relax = step.work("relax"), &halo = step.exchange("halo");
    for (int i = 0;; ++i) {
        auto const pass = step.enter();
        auto work = relax.enter();
        for (int volatile n = 0; rank == looping && i == 2;) n = n + 1;
        work.end();
        auto const exchange = halo.enter();
        add();
    }
}

void two_sends() {
    auto const partner = rank == 2 ? 3 : rank == 3 ? 2 : -1;
    std::vector<int> out(1000000), in(1000000);
    if (partner != -1) {
        MPI_Send(out.data(), 1000000, MPI_INT, partner, 4, MPI_COMM_WORLD);
        MPI_Recv(in.data(), 1000000, MPI_INT, partner, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    add();
}

/// One of two requests is never completed.
void request() {
    int in[2] = {};
    MPI_Request requests[2];
    if (rank == 1) {
        MPI_Irecv(&in[0], 1, MPI_INT, 0, 20, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, 7, 21, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 20, MPI_COMM_WORLD);
    add();
}

void polls() {
    int there = 0;
    while (rank == 1 && there == 0) MPI_Iprobe(0, 30, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    add();
}

void ends() {}

void goes_on() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
        healthy_steps(1);
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::map<std::string, void (*)()> const faults{
        {"skipped_collective", skipped_collective},
        {"skipped_in_a_loop", skipped_in_a_loop},
        {"skipped_for_a_message", skipped_for_a_message},
        {"wrong_root", wrong_root},
        {"wrong_tag", wrong_tag},
        {"unequal_counts", unequal_counts},
        {"stopped", stopped},
        {"endless_loop", endless_loop},
        {"endless_work", endless_work},
        {"two_sends", two_sends},
        {"request", request},
        {"polls", polls},
        {"ends", ends},
        {"goes_on", goes_on},
    };
    healthy_steps(3);
    if (argc == 3) looping = std::stoi(argv[2]);
    faults.at(argc > 1 ? argv[1] : "ends")();
    MPI_Finalize();
    auto const pass = probe.scope("end").enter();
}
