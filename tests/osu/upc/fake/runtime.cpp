// SPDX-License-Identifier: BSL-1.0
// Runtime of a stand-in for UPC, whose threads are processes of MPI on one host. The shared heap is a window of shared
// memory. It counts calls (SONDE_COUNTS: the beginning of the names of files). With SONDE_FAULT it damages data
// (flipped), loses it (lost), has no memory (full), or threads that are no ranks of MPI (apart).
#include "../../counted_calls.hpp"

#include <bupc_extern.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" char const fake_upc_shared_heap[];

namespace {

int rank = 0, size = 0;
MPI_Comm comm = MPI_COMM_NULL;
MPI_Win window = MPI_WIN_NULL;
std::size_t heap = 0, allocated = 0;
std::vector<std::byte*> heaps; // of all threads

/// Ends the job for what no correct program does.
void require(bool correct, char const* what) {
    if (correct) return;
    std::fprintf(stderr, "stand-in for UPC: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 70);
}

/// The size of the heap in bytes: a number of MB, "16MB" or "1GB".
std::size_t heap_size() {
    auto const* const given = std::getenv("UPC_SHARED_HEAP_SIZE");
    std::string const text = given == nullptr ? fake_upc_shared_heap : given;
    auto const unit = text.find("GB") == text.npos ? 20 : 30;
    return std::strtoul(text.c_str(), nullptr, 10) << unit;
}

constexpr int offset_bits = 48;

upc_shared_pointer pointer_to(std::size_t thread, std::size_t offset) {
    return reinterpret_cast<upc_shared_pointer>((thread + 1) << offset_bits | offset);
}
std::size_t thread_of(upc_shared_pointer p) { return (reinterpret_cast<std::uintptr_t>(p) >> offset_bits) - 1; }
std::size_t offset_of(upc_shared_pointer p) {
    return reinterpret_cast<std::uintptr_t>(p) & ((std::uintptr_t{1} << offset_bits) - 1);
}
std::byte* address_of(upc_shared_pointer p) {
    require(p != nullptr && offset_of(p) < allocated, "a pointer to no memory");
    return heaps[thread_of(p)] + offset_of(p);
}
/// The memory of a thread at the offset of a pointer.
std::byte* on_thread(int thread, upc_shared_pointer p) {
    return address_of(pointer_to(static_cast<std::size_t>(thread), offset_of(p)));
}

/// Blocks of Sonde's group are whole doubles: they are neither counted nor damaged, because faults are those of a
/// program.
bool is_of_group(std::size_t bytes) { return bytes % sizeof(double) == 0; }

/// Copies the data of a program, unless it is to be lost, and flips a bit of it if it is to be damaged.
void copy(void* to, void const* from, std::size_t bytes, std::size_t each) {
    if (!is_of_group(each) && fault("lost")) return;
    std::memcpy(to, from, bytes);
    if (!is_of_group(each) && fault("flipped")) static_cast<std::byte*>(to)[bytes - 1] ^= std::byte{16};
}

void count(char const* call, std::size_t bytes) {
    if (!is_of_group(bytes)) ++calls()[call];
}

void wait_for_all() {
    MPI_Win_sync(window);
    MPI_Barrier(comm);
    MPI_Win_sync(window);
}

/// A collective operation: `take` copies what this thread receives.
template <class F>
void collective(char const* call, std::size_t bytes, upc_flag_t mode, F take) {
    require(mode == (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC), "a mode without UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC");
    count(call, bytes);
    wait_for_all();
    take();
    wait_for_all();
}

} // namespace

extern "C" {

void bupc_init(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    heap = heap_size();
    void* mine = nullptr;
    MPI_Win_allocate_shared(static_cast<MPI_Aint>(heap), 1, MPI_INFO_NULL, comm, &mine, &window);
    for (int other = 0; other != size; ++other) {
        MPI_Aint length = 0;
        int unit = 0;
        void* first = nullptr;
        MPI_Win_shared_query(window, other, &length, &unit, &first);
        heaps.push_back(static_cast<std::byte*>(first));
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

void bupc_exit(int status) {
    write_counts(rank);
    MPI_Barrier(comm);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    std::exit(status);
}

char* bupc_extern_getenv(char const* name) { return std::getenv(name); }

int fake_upc_thread() { return rank; }
int fake_upc_threads() { return fault("apart") ? 1 : size; }

upc_shared_pointer fake_upc_element(upc_shared_pointer array, int i, std::size_t bytes) {
    auto const at = thread_of(array) + static_cast<std::size_t>(i), threads = static_cast<std::size_t>(size);
    return pointer_to(at % threads, offset_of(array) + at / threads * bytes);
}

void* fake_upc_private(upc_shared_pointer mine) {
    require(thread_of(mine) == static_cast<std::size_t>(rank), "a cast of a pointer to memory of another thread");
    return address_of(mine);
}

void fake_upc_barrier() {
    ++calls()["barrier"];
    wait_for_all();
}

void fake_upc_fence() {
    ++calls()["fence"];
    MPI_Win_sync(window);
}

upc_shared_pointer upc_all_alloc(std::size_t blocks, std::size_t bytes) {
    require(blocks == static_cast<std::size_t>(size), "another number of blocks than THREADS");
    auto const from = allocated, rounded = (bytes + 63) / 64 * 64;
    wait_for_all();
    if (fault("full") || rounded > heap - from) return nullptr;
    allocated += rounded;
    return pointer_to(0, from);
}

void upc_memput(upc_shared_pointer to, void const* from, std::size_t bytes) {
    count("memput", bytes);
    copy(address_of(to), from, bytes, bytes);
}

void upc_memget(void* to, upc_shared_pointer from, std::size_t bytes) {
    count("memget", bytes);
    copy(to, address_of(from), bytes, bytes);
}

void upc_all_broadcast(upc_shared_pointer to, upc_shared_pointer from, std::size_t bytes, upc_flag_t mode) {
    collective("broadcast", bytes, mode, [=] { copy(on_thread(rank, to), address_of(from), bytes, bytes); });
}

void upc_all_scatter(upc_shared_pointer to, upc_shared_pointer from, std::size_t bytes, upc_flag_t mode) {
    collective("scatter", bytes, mode, [=] {
        copy(on_thread(rank, to), address_of(from) + static_cast<std::size_t>(rank) * bytes, bytes, bytes);
    });
}

void upc_all_gather(upc_shared_pointer to, upc_shared_pointer from, std::size_t bytes, upc_flag_t mode) {
    collective("gather", bytes, mode, [=] {
        copy(address_of(to) + static_cast<std::size_t>(rank) * bytes, on_thread(rank, from), bytes, bytes);
    });
}

void upc_all_gather_all(upc_shared_pointer to, upc_shared_pointer from, std::size_t bytes, upc_flag_t mode) {
    collective("gather_all", bytes, mode, [=] {
        for (int other = 0; other != size; ++other)
            copy(on_thread(rank, to) + static_cast<std::size_t>(other) * bytes, on_thread(other, from), bytes, bytes);
    });
}

void upc_all_exchange(upc_shared_pointer to, upc_shared_pointer from, std::size_t bytes, upc_flag_t mode) {
    collective("exchange", bytes, mode, [=] {
        for (int other = 0; other != size; ++other)
            copy(on_thread(rank, to) + static_cast<std::size_t>(other) * bytes,
                 on_thread(other, from) + static_cast<std::size_t>(rank) * bytes, bytes, bytes);
    });
}

void upc_all_reduceC(upc_shared_pointer to, upc_shared_pointer from, upc_op_t op, std::size_t elements,
                     std::size_t block, signed char (*)(signed char, signed char), upc_flag_t mode) {
    require(op == UPC_MAX && block * static_cast<std::size_t>(size) == elements,
            "a reduction but to the largest of one block of each thread");
    collective("reduce", block, mode, [=] {
        if (static_cast<std::size_t>(rank) != thread_of(to)) return;
        signed char largest = -128;
        for (int other = 0; other != size; ++other) {
            auto const* const first = reinterpret_cast<signed char const*>(on_thread(other, from));
            largest = std::max(largest, *std::max_element(first, first + block));
        }
        copy(address_of(to), &largest, 1, block);
    });
}

} // extern "C"
