/* SPDX-License-Identifier: BSL-1.0
 *
 * Part of a stand-in for UPC: see upc_relaxed.h. What a program whose `main` is not in UPC calls of Berkeley UPC.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Starts UPC, and MPI. */
void bupc_init(int* argc, char*** argv);
/* Ends both, and the process. */
void bupc_exit(int status);
char* bupc_extern_getenv(char const* name);

#ifdef __cplusplus
}
#endif
