// SPDX-License-Identifier: BSL-1.0

// Counts calls of the C library's allocator. A program's own malloc takes the place of the library's for all of its
// libraries.

#include "counted.hpp"

#include <cerrno>
#include <cstddef>

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) { return ++so_far.allocations, __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) { return ++so_far.allocations, __libc_calloc(n, size); }
void* realloc(void* p, std::size_t n) { return ++so_far.allocations, __libc_realloc(p, n); }
void* memalign(std::size_t alignment, std::size_t n) { return ++so_far.allocations, __libc_memalign(alignment, n); }
void* aligned_alloc(std::size_t alignment, std::size_t n) { return memalign(alignment, n); }
int posix_memalign(void** p, std::size_t alignment, std::size_t n) {
    *p = memalign(alignment, n);
    return *p == nullptr ? ENOMEM : 0;
}

} // extern "C"
