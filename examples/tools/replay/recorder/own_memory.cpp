// SPDX-License-Identifier: BSL-1.0

// The memory of the recorder, which is apart from the application's heap: blocks of the application that follow each
// other without the recorder do so with it, too, which decides, for instance, how many regions a dynamic window can
// attach. The operators are those of this library alone, which contains the C++ library for that.

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace {

/// Before each block: the number of its bytes, with the header.
struct alignas(alignof(std::max_align_t)) header {
    std::size_t bytes;
    header* next; // free block of the same size
};

constexpr std::size_t largest = std::size_t{1} << 16; // of a block that is part of a chunk; others are mapped alone
constexpr std::size_t chunk = std::size_t{1} << 20;

/// Four sizes between powers of two: the size of which a block of `n` bytes is a part, and the number of that size.
struct size_class {
    explicit size_class(std::size_t n) {
        auto const width = static_cast<std::size_t>(std::bit_width(n - 1));
        auto const step = std::size_t{1} << (width - 3);
        bytes = (n + step - 1) / step * step;
        number = 4 * width + (bytes / step) % 4;
    }
    std::size_t bytes, number;
};

std::mutex mutex; // all of these are initialized before any constructor runs
header* free_blocks[4 * 18] = {};
std::byte* begin_of_chunk = nullptr;
std::byte* end_of_chunk = nullptr;

std::byte* mapped(std::size_t bytes) {
    auto* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc{};
    return static_cast<std::byte*>(memory);
}

header* new_block(std::size_t bytes) {
    if (static_cast<std::size_t>(end_of_chunk - begin_of_chunk) < bytes) {
        begin_of_chunk = mapped(chunk);
        end_of_chunk = begin_of_chunk + chunk;
    }
    auto* const block = new (begin_of_chunk) header{bytes, nullptr};
    begin_of_chunk += bytes;
    return block;
}

} // namespace

void* operator new(std::size_t n) {
    auto const needed = std::max(n, std::size_t{48}) + sizeof(header);
    if (needed > largest) return new (mapped(needed)) header{needed, nullptr} + 1;
    size_class const wanted{needed};
    std::lock_guard const held{mutex};
    auto*& first = free_blocks[wanted.number];
    auto* const block = first != nullptr ? first : new_block(wanted.bytes);
    if (block == first) first = block->next;
    return block + 1;
}

void operator delete(void* memory) noexcept {
    if (memory == nullptr) return;
    auto* const block = static_cast<header*>(memory) - 1;
    if (block->bytes > largest) {
        munmap(block, block->bytes);
        return;
    }
    std::lock_guard const held{mutex};
    auto*& first = free_blocks[size_class{block->bytes}.number];
    block->next = first;
    first = block;
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
