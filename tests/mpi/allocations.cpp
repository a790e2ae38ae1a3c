// SPDX-License-Identifier: BSL-1.0
#include "ledger.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

// In a file of its own, so that no caller sees that memory of operator new comes from malloc.

namespace {

std::size_t count = 0;

} // namespace

std::size_t ledger::allocations() { return count; }

void* operator new(std::size_t n) {
    ++count;
    if (auto* const p = std::malloc(n == 0 ? 1 : n)) return p;
    throw std::bad_alloc{};
}
// std::stable_sort calls this one. The standard library's calls the one above, that of AddressSanitizer does not.
void* operator new(std::size_t n, std::nothrow_t const&) noexcept {
    ++count;
    return std::malloc(n);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
