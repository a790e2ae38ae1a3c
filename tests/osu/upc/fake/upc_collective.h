/* SPDX-License-Identifier: BSL-1.0
 *
 * Part of a stand-in for UPC: see upc_relaxed.h. Only calls with UPC_IN_ALLSYNC and UPC_OUT_ALLSYNC.
 */
#pragma once

#include <upc_relaxed.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int upc_flag_t;
typedef unsigned long upc_op_t;

#define UPC_IN_ALLSYNC 1
#define UPC_OUT_ALLSYNC 8
#define UPC_MAX 256UL

void upc_all_broadcast(upc_shared_pointer to, upc_shared_pointer from, size_t bytes, upc_flag_t mode);
void upc_all_scatter(upc_shared_pointer to, upc_shared_pointer from, size_t bytes, upc_flag_t mode);
void upc_all_gather(upc_shared_pointer to, upc_shared_pointer from, size_t bytes, upc_flag_t mode);
void upc_all_gather_all(upc_shared_pointer to, upc_shared_pointer from, size_t bytes, upc_flag_t mode);
void upc_all_exchange(upc_shared_pointer to, upc_shared_pointer from, size_t bytes, upc_flag_t mode);
void upc_all_reduceC(upc_shared_pointer to, upc_shared_pointer from, upc_op_t op, size_t elements, size_t block,
                     signed char (*function)(signed char, signed char), upc_flag_t mode);

#ifdef __cplusplus
}
#endif
