/* SPDX-License-Identifier: BSL-1.0
 *
 * The operations of UPC that the programs time, as functions of C. They are in upc_operations.upc, for a compiler of
 * UPC. Memory is a number: a block of the shared heap on each thread.
 */
#ifndef OSU_UPC_OPERATIONS_H
#define OSU_UPC_OPERATIONS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MYTHREAD and THREADS. */
int osu_upc_thread(void);
int osu_upc_threads(void);

/* upc_all_alloc: `bytes` bytes on each thread, until the program ends. Collective over the threads. Returns -1, on all
 * threads, if the heap has no room, or for more than OSU_UPC_MEMORIES. */
enum { OSU_UPC_MEMORIES = 4 };
int osu_upc_allocate(size_t bytes);

/* Address of the caller's block. */
void* osu_upc_local(int memory);

/* upc_memput and upc_memget: copies of `bytes` bytes to and from the block of `thread`. */
void osu_upc_memput(int to, int thread, void const* from, size_t bytes);
void osu_upc_memget(void* to, int from, int thread, size_t bytes);

/* upc_fence: the puts of the caller are complete. */
void osu_upc_fence(void);

/* Collective operations of UPC 1.3 on the beginnings of the blocks, with UPC_IN_ALLSYNC and UPC_OUT_ALLSYNC. A block
 * has `bytes` bytes for each thread or, as that of a thread which sends or receives the same or a single part, `bytes`
 * bytes. Thread 0 is the root. */
void osu_upc_barrier(void);
void osu_upc_all_broadcast(int to, int from, size_t bytes);
void osu_upc_all_exchange(int to, int from, size_t bytes);
void osu_upc_all_gather(int to, int from, size_t bytes);
void osu_upc_all_gather_all(int to, int from, size_t bytes);
void osu_upc_all_scatter(int to, int from, size_t bytes);
/* upc_all_reduceC: the largest of the `bytes` signed characters of all threads, as one character on thread 0. */
void osu_upc_all_reduce(int to, int from, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
