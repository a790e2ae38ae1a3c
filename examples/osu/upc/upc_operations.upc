/* SPDX-License-Identifier: BSL-1.0
 *
 * UPC 1.3, for a number of threads that the launcher chooses.
 */
#include "upc_operations.h"

#include <upc_relaxed.h>

#include <upc_collective.h>

/* Pointers to the block of thread 0. Their layout has one element on each thread, so that element t is the first byte
 * of the block of thread t. */
static shared char* memories[OSU_UPC_MEMORIES];
static int allocated = 0;

static const upc_flag_t synchronized = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;

int osu_upc_thread(void) { return MYTHREAD; }
int osu_upc_threads(void) { return THREADS; }

int osu_upc_allocate(size_t bytes) {
    if (allocated == OSU_UPC_MEMORIES) return -1;
    memories[allocated] = upc_all_alloc(THREADS, bytes);
    return memories[allocated] == NULL ? -1 : allocated++;
}

void* osu_upc_local(int memory) { return (char*)&memories[memory][MYTHREAD]; }

void osu_upc_memput(int to, int thread, void const* from, size_t bytes) {
    upc_memput(&memories[to][thread], from, bytes);
}

void osu_upc_memget(void* to, int from, int thread, size_t bytes) {
    upc_memget(to, &memories[from][thread], bytes);
}

void osu_upc_fence(void) { upc_fence; }

void osu_upc_barrier(void) { upc_barrier; }

void osu_upc_all_broadcast(int to, int from, size_t bytes) {
    upc_all_broadcast(memories[to], memories[from], bytes, synchronized);
}

void osu_upc_all_exchange(int to, int from, size_t bytes) {
    upc_all_exchange(memories[to], memories[from], bytes, synchronized);
}

void osu_upc_all_gather(int to, int from, size_t bytes) {
    upc_all_gather(memories[to], memories[from], bytes, synchronized);
}

void osu_upc_all_gather_all(int to, int from, size_t bytes) {
    upc_all_gather_all(memories[to], memories[from], bytes, synchronized);
}

void osu_upc_all_scatter(int to, int from, size_t bytes) {
    upc_all_scatter(memories[to], memories[from], bytes, synchronized);
}

void osu_upc_all_reduce(int to, int from, size_t bytes) {
    upc_all_reduceC(memories[to], memories[from], UPC_MAX, THREADS * bytes, bytes, NULL, synchronized);
}
