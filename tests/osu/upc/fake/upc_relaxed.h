/* SPDX-License-Identifier: BSL-1.0
 *
 * Part of a stand-in for UPC, whose threads are processes of MPI on one host: what upc_operations.upc uses of
 * upc_relaxed.h, as upcc.py translates it.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A pointer-to-shared: a number. Its type is incomplete, so that C neither reads what it points to nor counts with it.
 */
typedef struct fake_upc_shared* upc_shared_pointer;

int fake_upc_thread(void);
int fake_upc_threads(void);
/* Element i of an array whose layout has one element on each thread. */
upc_shared_pointer fake_upc_element(upc_shared_pointer array, int i, size_t size);
/* The address of memory of this thread. */
void* fake_upc_private(upc_shared_pointer mine);
void fake_upc_barrier(void);
void fake_upc_fence(void);

#define MYTHREAD fake_upc_thread()
#define THREADS fake_upc_threads()
#define upc_barrier fake_upc_barrier()
#define upc_fence fake_upc_fence()

upc_shared_pointer upc_all_alloc(size_t blocks, size_t bytes);
void upc_memput(upc_shared_pointer to, void const* from, size_t bytes);
void upc_memget(void* to, upc_shared_pointer from, size_t bytes);

#ifdef __cplusplus
}
#endif
